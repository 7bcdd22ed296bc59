package weir.worker;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import weir.host.JavaRuntime;
import weir.host.Shields;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.Limits;
import weir.plan.LoadSpec;

/**
 * The JVM of a local worker, without any setting from the environment.
 *
 * @param classPath the entries of the class path that follow Weir's own entries
 * @param within the limits of the worker's process
 * @param share the CPU share of the process. An engine of Weir has priority, because a wait for the CPU would distort
 *     the measurement. The Java client has no priority, because it is part of the measured system.
 */
public record WorkerJvm(
        ByteSize heap, List<String> flags, List<String> classPath, Limits within, Shields.CpuShare share) {
    private static final long MIB = 1L << 20;

    /** The memory for long-lived objects other than buffers: messages in flight, histograms, classes. */
    private static final long OLD = 64 * MIB;

    /** The memory for garbage between two collections, and for objects in use during a collection. */
    private static final long YOUNG = 96 * MIB;

    /** The limit for one collecting thread, at half the CPU of two; its pauses stay below about 30 ms. */
    private static final long SERIAL = 320 * MIB;

    private static final long PRODUCER_BUFFER = 32 * MIB;
    private static final long FETCH = 50 * MIB;

    // The limit of memory that is used only when needed: an answer may be larger than requested.
    private static final long BESIDE = 64 * MIB;
    private static final long WIRE_PRODUCER = 64 * MIB;
    private static final long WIRE_READER = 512 * MIB;
    private static final long GATEWAY_DIRECT = 256 * MIB;
    private static final long OTHER_SENDER = 256 * MIB;

    // Measured with 250-byte records at full speed, on two cores shared with the broker. G1 costs 15 % more CPU per
    // record than the parallel collector. With its usual young generation, the parallel collector needs ten full
    // collections for 4 M records, because objects in flight do not fit into the survivor spaces. So these spaces are
    // large and fixed.
    private static final List<String> FLAGS = List.of(
            "-XX:SurvivorRatio=2",
            "-XX:-UseAdaptiveSizePolicy",
            "-XX:+AlwaysPreTouch",
            "-XX:+ExitOnOutOfMemoryError",
            // Standard output is the link: a warning of the JVM in it would end the trial.
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-Dfile.encoding=UTF-8");

    // Code for each batch or window runs some hundred times a second. It would be compiled a second time just after the
    // measured phase begins, with as much CPU as the load itself. Code for each message reaches these thresholds in a
    // second or two, except in two loads. 60,000 operations, one after the other, took a sixth longer with these flags.
    // After 100,000 events at 5,000 events a second, sender and receiver cost 109 µs an event with the flags, and 84 µs
    // without.
    private static final List<String> COMPILES_LATER =
            List.of("-XX:Tier4InvocationThreshold=100000", "-XX:Tier4CompileThreshold=200000");

    public WorkerJvm {
        flags = List.copyOf(flags);
        classPath = List.copyOf(classPath);
    }

    public static WorkerJvm of(LoadSpec load, List<String> classPath) {
        int workers = load.processes();
        long producers = (load.producers().count() + workers - 1L) / workers;
        long readers = load.workload() == LoadSpec.Workload.PRODUCE
                ? 0
                : (load.consumers().count() + workers - 1L) / workers;
        // The wire engine has its requests in flight outside of the heap.
        boolean other = load.producers().engine() == LoadSpec.Engine.OTHER;
        boolean sendsItself = other || load.producers().engine() == LoadSpec.Engine.WIRE;
        boolean served = load.consumers().engine() == LoadSpec.Engine.OTHER;
        boolean readsItself = served || load.consumers().engine() == LoadSpec.Engine.WIRE;
        long buffers =
                sendsItself ? 0 : producers * bytes(load.producers().properties(), "buffer.memory", PRODUCER_BUFFER);
        long fetched = readsItself
                ? 0
                : readers * Math.min(FETCH, bytes(load.consumers().properties(), "fetch.max.bytes", FETCH));
        // A backlog is written before it is read.
        boolean inTurn = load.workload() == LoadSpec.Workload.CONSUME;
        long young = YOUNG + buffers;
        long heap = OLD + (inTurn ? Math.max(buffers, fetched) : buffers + fetched) + young;
        long direct = BESIDE
                + (other ? OTHER_SENDER : 0)
                + producers * WIRE_PRODUCER
                + (served ? OTHER_SENDER : readers * WIRE_READER);
        List<String> flags = flags(heap, young, sendsItself || readsItself ? direct : 0);
        if (!load.operates() && !served) {
            flags.addAll(COMPILES_LATER);
        }
        boolean ours = inTurn ? readsItself : sendsItself;
        return new WorkerJvm(
                new ByteSize(heap),
                flags,
                classPath,
                load.within(),
                ours ? Shields.CpuShare.FIRST : Shields.CpuShare.EQUAL);
    }

    private static List<String> flags(long heap, long young, long direct) {
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Xmn" + young);
        if (direct > 0) {
            flags.add("-XX:MaxDirectMemorySize=" + direct);
        }
        flags.add(heap <= SERIAL ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC");
        return flags;
    }

    public static WorkerJvm gateway(Map<String, String> producer, List<String> classPath, Limits within) {
        long buffer = bytes(producer, "buffer.memory", PRODUCER_BUFFER);
        // A body is in memory as received and as records, in addition to the producer's own batches.
        long young = YOUNG + 2 * buffer;
        return server(OLD + buffer + young, young, GATEWAY_DIRECT, classPath, within);
    }

    public static WorkerJvm eventProcess(
            ByteSize memory, Map<String, String> producer, List<String> classPath, Limits within) {
        long buffer = producer.isEmpty() ? 0 : bytes(producer, "buffer.memory", PRODUCER_BUFFER);
        // An event is in memory as received and as a record or request. Records from Kafka are prefetched.
        long held = 2 * memory.bytes();
        long young = YOUNG + buffer;
        long heap = OLD + held + buffer + (producer.isEmpty() ? 0 : FETCH) + young;
        return server(heap, young, GATEWAY_DIRECT + memory.bytes(), classPath, within);
    }

    private static WorkerJvm server(long heap, long young, long direct, List<String> classPath, Limits within) {
        return new WorkerJvm(new ByteSize(heap), flags(heap, young, direct), classPath, within, Shields.CpuShare.EQUAL);
    }

    public WorkerJvm forMany() {
        List<String> fewer =
                flags.stream().filter(flag -> !COMPILES_LATER.contains(flag)).toList();
        return new WorkerJvm(heap, fewer, classPath, within, share);
    }

    public WorkerJvm brief() {
        List<String> one = new ArrayList<>(flags);
        one.removeAll(COMPILES_LATER);
        one.add(ClusterSpec.ONE_COMPILER);
        return new WorkerJvm(heap, one, classPath, within, share);
    }

    private static long bytes(Map<String, String> properties, String name, long byDefault) {
        try {
            return Long.parseLong(properties.getOrDefault(name, "").strip());
        } catch (NumberFormatException absent) {
            // The value is missing or a reference; the client itself checks it later.
            return byDefault;
        }
    }

    List<String> command(List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(JavaRuntime.own().launcher().toString());
        command.add("-Xms" + heap.bytes());
        command.add("-Xmx" + heap.bytes());
        command.addAll(flags);
        command.addAll(more);
        List<String> path = new ArrayList<>();
        path.add(System.getProperty("java.class.path"));
        path.addAll(classPath);
        command.add("-cp");
        command.add(String.join(File.pathSeparator, path));
        command.add(WorkerMain.class.getName());
        return command;
    }
}
