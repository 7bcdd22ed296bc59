package weir.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.load.Identity;
import weir.load.Lot;
import weir.wire.CompressedBatch;
import weir.wire.RecordBatch;

/** Room for one batch and what is known of its messages, from the lot it leaves with to the answer. One sender's. */
final class Slot {
    private static final byte[] HEADER = Identity.HEADER.getBytes(StandardCharsets.US_ASCII);

    /** Of a batch that has room for one record at least. */
    private static final int LEAST_BYTES = 1_024;

    final Lot lot = new Lot();
    private final RecordBatch batch;
    private final @Nullable CompressedBatch compressed;
    private ByteBuffer sealed = ByteBuffer.allocate(0);
    private int records;
    long takenNanos;
    /** When it may be sent again. */
    long notBeforeNanos;

    int attempts;
    /** Why it was not written when it was sent last. */
    RuntimeException why = Errors.NETWORK_EXCEPTION.exception();

    boolean onItsWay;
    /** Whether the broker may have written it without telling. */
    boolean uncertain;

    Slot(int bytes, @Nullable CompressedBatch compressed) {
        this.batch = new RecordBatch(Math.max(LEAST_BYTES, bytes), HEADER);
        this.compressed = compressed;
    }

    RecordBatch batch() {
        return batch;
    }

    /** Of the batch with one more record. */
    int sizeWith(byte[] key, byte[] value, byte[] header) {
        return batch.size(batch.count()) + batch.cost(key, value, header);
    }

    /** Its first records are a batch now, to be sent whenever it pleases. */
    void seal(int count, long timeMillis, RecordBatch.Origin origin) {
        records = count;
        attempts = 0;
        notBeforeNanos = Long.MIN_VALUE;
        onItsWay = false;
        uncertain = false;
        try {
            sealed = compressed == null
                    ? batch.seal(count, timeMillis, origin)
                    : compressed.seal(batch, count, timeMillis, origin);
        } catch (IOException e) {
            throw new IllegalStateException("compressing a batch of " + count + " records", e);
        }
    }

    /** The same batch under another identity of its producer. */
    void seal(RecordBatch.Origin origin) {
        sealed = compressed == null ? batch.again(origin) : compressed.again(origin);
    }

    /** What compression makes of its records: 1 without. */
    double ratio() {
        int all = batch.count();
        seal(all, 0, new RecordBatch.Origin());
        return (double) size() / batch.size(all);
    }

    /** It comes again after a pause that grows, as the clients' does. */
    void backOff(long nowNanos, Terms terms, RuntimeException reason) {
        why = reason;
        double pause = terms.backoffNanos() * Math.pow(2, Math.min(attempts - 1, 20));
        notBeforeNanos = nowNanos + (long) Math.min(pause, (double) terms.longestBackoffNanos());
    }

    /** From the beginning, however much of it was written before. */
    ByteBuffer bytes() {
        return sealed.position(0);
    }

    int size() {
        return sealed.limit();
    }

    int rawSize() {
        return batch.size(records);
    }

    int records() {
        return records;
    }

    /** Bytes of its keys and values. */
    long contents() {
        return batch.contents(records);
    }
}
