package weir.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.host.kernel.KernelFiles;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;

/** The probe of Weir's own JVM: heap in use, allocated bytes, and the CPU time of all probes. */
record OwnJvm(MemoryMXBean memory, ThreadMXBean threads, AllocatedBytes.OfOwnJvm allocated) implements Probe {
    static final String HEAP = "heap.used.mib";
    static final String PROBES = "probes.cpu.cores";
    private static final double NANOS = 1e9;
    static final List<ProbeMetric> DRAWN =
            List.of(new ProbeMetric(HEAP, "", new MetricChart("Heap in use", "MiB", "", false)));

    OwnJvm() {
        this(ManagementFactory.getMemoryMXBean(), ManagementFactory.getThreadMXBean(), new AllocatedBytes.OfOwnJvm());
    }

    @Override
    public List<ProbeMetric> drawn() {
        return DRAWN;
    }

    @Override
    public void sample(Readings into) {
        into.level(HEAP, memory.getHeapMemoryUsage().getUsed() / KernelFiles.MIB);
        allocated.look(into);
        if (threads.isCurrentThreadCpuTimeSupported()) {
            // The current thread runs all probes.
            into.rate(PROBES, threads.getCurrentThreadCpuTime() / NANOS);
        } else {
            into.absent(PROBES, "this JVM does not count the CPU time of its threads");
        }
    }

    /**
     * The bytes of heap that a JVM has allocated. Since Java 21 the JVM reports the total. Earlier JVMs report the
     * bytes of each living thread, without the last bytes of ended threads.
     */
    static final class AllocatedBytes {
        static final String METRIC = "allocated.bytes.per.s";

        private Map<Long, Long> byThread = new HashMap<>();
        private long total;

        /** Adds the counts of living threads; returns the total since the start, which never decreases. */
        long total(long[] threads, long[] bytes) {
            Map<Long, Long> living = new HashMap<>();
            for (int i = 0; i < threads.length; i++) {
                // A thread that ended meanwhile has -1.
                if (bytes[i] >= 0) {
                    total += Math.max(0, bytes[i] - byThread.getOrDefault(threads[i], 0L));
                    living.put(threads[i], bytes[i]);
                }
            }
            byThread = living;
            return total;
        }

        static final class OfOwnJvm {
            private static final @Nullable Method TOTAL = total();

            private final AllocatedBytes all = new AllocatedBytes();

            private static @Nullable Method total() {
                try {
                    return com.sun.management.ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
                } catch (NoSuchMethodException e) {
                    return null;
                }
            }

            void look(Readings into) {
                ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                if (threads instanceof com.sun.management.ThreadMXBean counting
                        && counting.isThreadAllocatedMemorySupported()
                        && counting.isThreadAllocatedMemoryEnabled()) {
                    into.rate(METRIC, bytes(counting));
                } else {
                    into.absent(METRIC, "this JVM does not count the allocations of its threads");
                }
            }

            private double bytes(com.sun.management.ThreadMXBean threads) {
                if (TOTAL != null) {
                    try {
                        return (long) TOTAL.invoke(threads);
                    } catch (IllegalAccessException | InvocationTargetException e) {
                        throw new IllegalStateException("reading the JVM's allocated bytes", e);
                    }
                }
                long[] ids = threads.getAllThreadIds();
                return all.total(ids, threads.getThreadAllocatedBytes(ids));
            }
        }
    }
}
