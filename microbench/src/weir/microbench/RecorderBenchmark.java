package weir.microbench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import weir.measure.Recorder;

/**
 * The cost of recording per message: everything that is recorded of one that is sent and acked, windows handed over
 * included. A million messages per second go by in the benchmark's own time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class RecorderBenchmark {
    private static final int MESSAGES = 8192;
    private static final int RUN = 256;
    private static final long GAP_NANOS = 1000;
    private static final int STEP = 2;
    private static final int BYTES = 250;

    private final long[] latencies = new long[MESSAGES];
    private long windows;
    private final Recorder sender = new Recorder(0, 1_000_000_000, Integer.MAX_VALUE, window -> windows++);
    private final Recorder acks = new Recorder(0, 1_000_000_000, Integer.MAX_VALUE, window -> windows++);
    private final Recorder reader = new Recorder(0, 1_000_000_000, Integer.MAX_VALUE, window -> windows++);
    private long now;

    @Setup
    public void drawLatencies() {
        // Mostly some milliseconds, up to a second: as wide as a broker's.
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < MESSAGES; i++) {
            latencies[i] = (long) (2e6 * Math.exp(-Math.log(1 - random.nextDouble()) * 0.8));
        }
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void singly() {
        for (int i = 0; i < MESSAGES; i++) {
            long late = latencies[i] & 0xffff;
            sender.due(STEP, now - late, 1);
            sender.sent(STEP, 1, 1, now - late, now, now + 700, 0, BYTES);
            acks.acked(STEP, 1, 1, now - late - latencies[i], now - latencies[i], now, BYTES);
            now += GAP_NANOS;
        }
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void inRuns() {
        for (int i = 0; i < MESSAGES; i += RUN) {
            long late = latencies[i] & 0xffff;
            sender.due(STEP, now - late, RUN);
            sender.sent(STEP, RUN, RUN, now - late, now, now + 700, 0, BYTES * RUN);
            acks.acked(STEP, RUN, RUN, now - late - latencies[i], now - latencies[i], now, BYTES * RUN);
            now += GAP_NANOS * RUN;
        }
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void receivedSingly() {
        for (int i = 0; i < MESSAGES; i++) {
            reader.received(STEP, 1, now - latencies[i], now, BYTES);
            now += GAP_NANOS;
        }
    }
}
