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
 * The JVM of a local worker, whole: nothing is left to its defaults.
 *
 * @param classPath behind our own
 * @param within the limits that its process is held to
 * @param share how it competes for the CPU: an engine of our own comes first, since one that waits measures itself; the
 *     Java client is part of what is measured, and competes as in any application
 */
public record WorkerJvm(
        ByteSize heap, List<String> flags, List<String> classPath, Limits within, Shields.CpuShare share) {
    private static final long MIB = 1L << 20;

    /** Memory for long-lived objects beside the buffers: flights, histograms, classes' own objects. */
    private static final long OLD = 64 * MIB;

    /** Garbage between two collections, and what is in flight while one happens. */
    private static final long YOUNG = 96 * MIB;

    /** Up to this heap one collecting thread costs half the CPU of two, and its pauses stay below some 30 ms. */
    private static final long SERIAL = 320 * MIB;

    private static final long PRODUCER_BUFFER = 32 * MIB;
    private static final long FETCH = 50 * MIB;

    // Limits of memory that is only taken when needed: an answer may be larger than requested.
    private static final long BESIDE = 64 * MIB;
    private static final long WIRE_PRODUCER = 64 * MIB;
    private static final long WIRE_READER = 512 * MIB;
    private static final long GATEWAY_DIRECT = 256 * MIB;
    private static final long OTHER_SENDER = 256 * MIB;

    // Measured producing 250-byte records at full speed, on two cores shared with the broker: G1 costs 15 % more CPU a
    // record than the parallel collector, which with its usual young generation needs ten full collections for 4 M
    // records: what is in flight does not fit its survivor spaces. So these are large, and stay so.
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

    // What runs for each batch or window, some hundred times a second, is called often enough to be compiled a second
    // time just when the measured phase has begun, and that took as much CPU as the load itself. What runs for each
    // message, and loops over the messages of a batch, get here in a second or two. Operations that wait for each other
    // do not: 60,000 of them, one after the other, took a sixth longer with these; nor do events, of which there are
    // thousands a second: at 5,000/s, 100,000 in, sender and receiver cost 109 µs an event with these, and 84 without.
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
        // The wire engine keeps its requests in flight outside the heap.
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
        List<String> flags = new ArrayList<>(FLAGS);
        if (!load.operates() && !served) {
            flags.addAll(COMPILES_LATER);
        }
        flags.add("-Xmn" + young);
        if (sendsItself || readsItself) {
            flags.add("-XX:MaxDirectMemorySize="
                    + (BESIDE
                            + (other ? OTHER_SENDER : 0)
                            + producers * WIRE_PRODUCER
                            + (served ? OTHER_SENDER : readers * WIRE_READER)));
        }
        flags.add(heap <= SERIAL ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC");
        boolean ours = inTurn ? readsItself : sendsItself;
        return new WorkerJvm(
                new ByteSize(heap),
                flags,
                classPath,
                load.within(),
                ours ? Shields.CpuShare.FIRST : Shields.CpuShare.EQUAL);
    }

    public static WorkerJvm gateway(Map<String, String> producer, List<String> classPath, Limits within) {
        long buffer = bytes(producer, "buffer.memory", PRODUCER_BUFFER);
        // Bodies are held as they came and as records, beside the producer's own batches.
        long young = YOUNG + 2 * buffer;
        return server(OLD + buffer + young, young, GATEWAY_DIRECT, classPath, within);
    }

    public static WorkerJvm eventProcess(
            ByteSize memory, Map<String, String> producer, List<String> classPath, Limits within) {
        long buffer = producer.isEmpty() ? 0 : bytes(producer, "buffer.memory", PRODUCER_BUFFER);
        // An event is held as it came, and once more as a record or a request; what is read from Kafka is fetched
        // ahead.
        long held = 2 * memory.bytes();
        long young = YOUNG + buffer;
        long heap = OLD + held + buffer + (producer.isEmpty() ? 0 : FETCH) + young;
        return server(heap, young, GATEWAY_DIRECT + memory.bytes(), classPath, within);
    }

    private static WorkerJvm server(long heap, long young, long direct, List<String> classPath, Limits within) {
        List<String> flags = new ArrayList<>(FLAGS);
        flags.add("-Xmn" + young);
        flags.add("-XX:MaxDirectMemorySize=" + direct);
        flags.add(heap <= SERIAL ? "-XX:+UseSerialGC" : "-XX:+UseParallelGC");
        return new WorkerJvm(new ByteSize(heap), flags, classPath, within, Shields.CpuShare.EQUAL);
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
