package weir.microbench;

import java.util.List;
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
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.measure.SentLedger;

/** The cost of accounting for every message, on the sending and on the reading side. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class LedgerBenchmark {
    private static final int MESSAGES = 8192;
    private static final int STEP = 2;
    private static final int PARTITIONS = 4;

    private final Ledger ledger = new Ledger(List.of("topic-0", "topic-1", "topic-2", "topic-3"));
    private final SentLedger sender = ledger.sender(0);
    private final ReadLedger reader = ledger.reader();
    private final long[] offsets = new long[PARTITIONS];
    private long sequence;

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void sentAndAckedSingly() {
        for (int i = 0; i < MESSAGES; i++) {
            sender.due(STEP, 1);
            sender.acked(sender.next(STEP, 1), 1);
        }
    }

    /** From four partitions, batch by batch, handed over once per call. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void receivedSingly() {
        for (int i = 0; i < MESSAGES; i++) {
            int partition = i / 400 % PARTITIONS;
            reader.received(partition, offsets[partition]++, 0, sequence++);
        }
        reader.handOver();
    }

    /** The same, told in rows. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void receivedInRows() {
        for (int i = 0; i < MESSAGES; ) {
            int partition = i / 400 % PARTITIONS;
            int row = Math.min(400, MESSAGES - i);
            reader.received(partition, offsets[partition], 0, sequence, row);
            offsets[partition] += row;
            sequence += row;
            i += row;
        }
        reader.handOver();
    }

    /** Messages that were all received before: for each its reader wants to know. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int askedAgain(Known known) {
        int before = 0;
        int stretch = 0;
        long askAt = 0;
        for (long next = 0; next < MESSAGES; next++) {
            if (next >= askAt) {
                stretch = known.reader.seen(known.producer, next);
                askAt = next + Math.abs(stretch);
            }
            before += stretch > 0 ? 1 : 0;
        }
        return before;
    }

    /** The runs that a reader read and handed over. */
    @State(Scope.Thread)
    public static class Known {
        private final int producer = 300;
        private final ReadLedger reader = new Ledger(List.of("topic-0")).reader();

        @Setup
        public void read() {
            reader.received(0, 0, producer, 0, MESSAGES);
            reader.handOver();
        }
    }
}
