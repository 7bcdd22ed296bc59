package weir.microbench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.wire.Batches;
import weir.wire.RecordBatch;
import weir.wire.RecordCursor;

/** The cost of reading a record of 250 bytes once it has arrived, in batches of 100 kB and answers of four megabytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class FetchBenchmark {
    private static final int BATCHES = 40;
    private static final int EACH = 390;
    private static final int RECORDS = BATCHES * EACH;
    private static final byte[] HEADER = "weir".getBytes(StandardCharsets.US_ASCII);

    private final Batches batches = new Batches();
    private final RecordCursor records = new RecordCursor(HEADER, 1 << 20);
    private final Arrival arrival = new Arrival();
    private final Ledger ledger = new Ledger(List.of("topic-0"));
    private final ReadLedger reader = ledger.reader();
    private ByteBuffer answer = ByteBuffer.allocate(0);
    private long sequence;
    private long offset;

    @Setup
    public void write() {
        RecordBatch batch = new RecordBatch(100_000, HEADER);
        byte[] value = new byte[250];
        for (int i = 0; i < EACH; i++) {
            batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
        }
        answer = ByteBuffer.allocateDirect(BATCHES * batch.size(EACH));
        for (int i = 0; i < BATCHES; i++) {
            int at = answer.position();
            for (int record = 0; record < EACH; record++) {
                long sequence = (long) i * EACH + record;
                batch.identify(record, Identity.checked(0, 0, sequence, 0), sequence, 0);
            }
            answer.put(batch.seal(EACH, 1_700_000_000_000L, new RecordBatch.Origin()));
            answer.putLong(at, (long) i * EACH);
        }
        answer.flip();
    }

    /** The headers only: where to read on. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long walked() throws IOException {
        batches.begin(answer, 0, answer.limit());
        long bytes = 0;
        while (batches.next()) {
            bytes += batches.size();
        }
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long checked() throws IOException {
        batches.begin(answer, 0, answer.limit());
        while (batches.next()) {
            batches.check();
        }
        return batches.nextOffset();
    }

    /** The CRC of each batch, every record, its identity, and the ledger, which is told of rows. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long verified() throws IOException {
        batches.begin(answer, 0, answer.limit());
        int row = 0;
        while (batches.next()) {
            batches.check();
            records.begin(batches);
            while (records.next()) {
                arrival.read(records.bytes(), records.valueAt, records.valueSize);
                if (!arrival.from(0) || arrival.sequence != row) {
                    throw new IllegalStateException("record " + row);
                }
                row++;
            }
        }
        reader.received(0, offset, 0, sequence, row);
        offset += row;
        sequence += row;
        reader.handOver();
        return offset;
    }
}
