package weir.feature.profile;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A part of a JVM's CPU time outside the application's code. Each sample counts in at most one part. */
public enum CpuShare {
    GC,
    COMPILER,
    KERNEL;

    private static final String OF_KERNEL = "_[k]";
    private static final List<String> COLLECTORS =
            List.of("[GC Thread", "[G1 ", "[Concurrent", "[Shenandoah", "[ZWorker", "[ZDriver", "[XWorker");
    private static final List<String> COMPILERS = List.of("[C1 Compiler", "[C2 Compiler", "[JVMCI");
    private static final String VM = "[VM Thread";

    private static final List<String> COLLECTIONS = List.of("Collect", "GC_", "G1");

    public static Map<CpuShare, Long> of(StackTree tree) {
        Map<CpuShare, Long> shares = new EnumMap<>(CpuShare.class);
        for (CpuShare share : values()) {
            shares.put(share, 0L);
        }
        for (StackTree.Frame thread : tree.root().below()) {
            if (startsWith(thread.name(), COLLECTORS)) {
                shares.merge(GC, thread.first(), Long::sum);
            } else if (startsWith(thread.name(), COMPILERS)) {
                shares.merge(COMPILER, thread.first(), Long::sum);
            } else {
                boolean vm = thread.name().startsWith(VM);
                thread.below().forEach(frame -> add(frame, vm, shares));
            }
        }
        return shares;
    }

    private static boolean startsWith(String name, List<String> beginnings) {
        return beginnings.stream().anyMatch(name::startsWith);
    }

    private static void add(StackTree.Frame frame, boolean vm, Map<CpuShare, Long> shares) {
        if (vm && COLLECTIONS.stream().anyMatch(frame.name()::contains)) {
            shares.merge(GC, frame.first(), Long::sum);
        } else if (frame.name().endsWith(OF_KERNEL)) {
            shares.merge(KERNEL, frame.first(), Long::sum);
        } else {
            frame.below().forEach(child -> add(child, vm, shares));
        }
    }
}
