package weir.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.send.MessageBatch;
import weir.wire.CompressedBatch;
import weir.wire.CompressedBatch.Codec;
import weir.wire.RecordBatch;

/** The memory for one batch, with the facts about its messages until the broker answers. One sender owns a buffer. */
final class BatchBuffer {
    private static final byte[] HEADER = Identity.HEADER.getBytes(StandardCharsets.US_ASCII);

    static final long DUE_LIKE = 1_000_003;

    private static final int LEAST_BYTES = 1_024;

    final MessageBatch messages = new MessageBatch();
    final RecordBatch batch;
    private final @Nullable CompressedBatch compressed;
    private @Nullable CompressedBatch ahead;

    private final @Nullable Codec codec;
    final boolean forHalves;
    boolean unnamed;

    private ByteBuffer sealed = ByteBuffer.allocate(0);
    int records;
    private long timeMillis;
    long takenNanos;
    /** The sequence number of the first record for the producer and partition, before the wrap at 2^31. */
    long sequence;

    long notBeforeNanos;

    int attempts;
    RuntimeException why = Errors.NETWORK_EXCEPTION.exception();

    boolean onItsWay;
    /** True when the broker may have written the batch although no answer came. */
    boolean uncertain;

    /**
     * @param codec null without compression
     * @param forHalves true for half of a batch that was too large for the broker
     */
    BatchBuffer(int bytes, @Nullable Codec codec, boolean forHalves) {
        this.forHalves = forHalves;
        this.batch = new RecordBatch(Math.max(LEAST_BYTES, bytes), HEADER);
        this.codec = codec;
        this.compressed = codec == null ? null : new CompressedBatch(codec);
    }

    int sizeWith(byte[] key, byte[] value, byte[] header) {
        return batch.size(batch.count()) + batch.cost(key, value, header);
    }

    void seal(int count, long atMillis, RecordBatch.Origin origin) {
        begin(count, atMillis);
        unnamed = false;
        try {
            sealed = compressed == null
                    ? batch.seal(count, timeMillis, origin)
                    : compressed.seal(batch, count, timeMillis, origin);
        } catch (IOException e) {
            throw compressing(count, e);
        }
    }

    private void begin(int count, long atMillis) {
        records = count;
        timeMillis = atMillis;
        attempts = 0;
        notBeforeNanos = Long.MIN_VALUE;
        onItsWay = false;
        uncertain = false;
    }

    /** Completes the batch with an identity only in its header. Compressed records are reused. */
    void sealUnnamed(long atMillis, RecordBatch.Origin origin) {
        begin(batch.count(), atMillis);
        unnamed = true;
        if (ahead != null) {
            sealed = ahead.again(timeMillis, origin);
            return;
        }
        CompressedBatch once = new CompressedBatch(Objects.requireNonNull(codec));
        for (int i = 0; i < records; i++) {
            // Real identities compress no better than these numbers.
            identify(i, Identity.UNNAMED - i, i * DUE_LIKE);
        }
        try {
            sealed = once.seal(batch, records, timeMillis, origin);
        } catch (IOException e) {
            throw compressing(records, e);
        }
        ahead = once;
    }

    private static IllegalStateException compressing(int records, IOException e) {
        return new IllegalStateException("compressing a batch of " + records + " records", e);
    }

    void seal(RecordBatch.Origin origin) {
        CompressedBatch last = unnamed ? ahead : compressed;
        sealed = last == null ? batch.again(origin) : last.again(origin);
    }

    void seal(int first, RecordBatch.Origin origin) {
        messages.count = first;
        seal(first, timeMillis, origin);
    }

    void seal(BatchBuffer other, int first, RecordBatch.Origin origin) {
        takenNanos = other.takenNanos;
        other.name();
        batch.clear();
        messages.begin(other.messages);
        for (int i = first; i < other.records; i++) {
            batch.append(other.batch, i);
            messages.add(other.messages, i);
        }
        seal(batch.count(), other.timeMillis, origin);
    }

    /** Writes identities into the records of halves, because readers do not know their sequence numbers. */
    private void name() {
        for (int i = 0; unnamed && i < records; i++) {
            identify(i, messages.sequence(i), messages.dueNanos(i));
        }
    }

    void identify(int record, long number, long dueNanos) {
        long head = batch.head(record);
        int checked = Identity.checked((int) (head >>> Integer.SIZE), (int) head, number, dueNanos);
        batch.identify(record, checked, number, dueNanos);
    }

    double ratio() {
        int all = batch.count();
        seal(all, 0, new RecordBatch.Origin());
        return (double) size() / batch.size(all);
    }

    void backOff(long nowNanos, ProducerSettings settings, RuntimeException reason) {
        why = reason;
        double pause = settings.backoffNanos() * Math.pow(2, Math.min(attempts - 1, 20));
        notBeforeNanos = nowNanos + (long) Math.min(pause, (double) settings.longestBackoffNanos());
    }

    ByteBuffer bytes() {
        return sealed.position(0);
    }

    int size() {
        return sealed.limit();
    }

    int rawSize() {
        return batch.size(records);
    }

    long contents() {
        return batch.contents(records);
    }
}
