package weir.microbench;

import java.nio.ByteBuffer;
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
import weir.load.message.Identity;
import weir.wire.RecordBatch;

/**
 * The cost of a record of 250 bytes until its batch can be sent: its identity patched into a batch made ahead, and its part
 * of the CRC; or all of it written anew. Five batches take turns, as those in flight do.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordBatchBenchmark {
    private static final int IN_FLIGHT = 5;
    private static final int LARGE = 3_456;
    private static final int SMALL = 384;

    private final RecordBatch[] large = new RecordBatch[IN_FLIGHT];
    private final RecordBatch[] small = new RecordBatch[IN_FLIGHT];
    private final RecordBatch.Origin origin = new RecordBatch.Origin();
    private final byte[] value = new byte[250];
    private int turn;
    private long sequence;

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < IN_FLIGHT; i++) {
            large[i] = new RecordBatch(900_000, new byte[4]);
            small[i] = new RecordBatch(100_000, new byte[4]);
            for (int record = 0; record < LARGE; record++) {
                random.nextBytes(value);
                large[i].append(RecordBatch.NONE, value, RecordBatch.NONE);
                if (record < SMALL) {
                    small[i].append(RecordBatch.NONE, value, RecordBatch.NONE);
                }
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(LARGE)
    public ByteBuffer patched900kB() {
        return patched(large, LARGE);
    }

    @Benchmark
    @OperationsPerInvocation(SMALL)
    public ByteBuffer patched100kB() {
        return patched(small, SMALL);
    }

    private ByteBuffer patched(RecordBatch[] batches, int records) {
        RecordBatch batch = batches[turn++ % IN_FLIGHT];
        for (int i = 0; i < records; i++) {
            batch.identify(i, Identity.checked(0, 0, sequence, turn), sequence, turn);
            sequence++;
        }
        origin.is(1, (short) 0, turn);
        return batch.seal(records, turn, origin);
    }

    @Benchmark
    @OperationsPerInvocation(SMALL)
    public ByteBuffer written100kB() {
        RecordBatch batch = small[turn++ % IN_FLIGHT];
        batch.clear();
        for (int i = 0; i < SMALL; i++) {
            batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
        }
        return batch.seal(SMALL, turn, origin);
    }
}
