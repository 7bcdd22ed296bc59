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

/** Room for one batch and what is known of its messages, from when it is taken to the answer. One sender's. */
final class BatchBuffer {
    private static final byte[] HEADER = Identity.HEADER.getBytes(StandardCharsets.US_ASCII);

    private static final long DUE_LIKE = 1_000_003;

    private static final int LEAST_BYTES = 1_024;

    final MessageBatch messages = new MessageBatch();
    final RecordBatch batch;
    private final @Nullable CompressedBatch compressed;
    /** All its records compressed once, without identities. */
    private @Nullable CompressedBatch ahead;

    private final @Nullable Codec codec;
    final boolean forHalves;
    boolean unnamed;

    private ByteBuffer sealed = ByteBuffer.allocate(0);
    int records;
    private long timeMillis;
    long takenNanos;
    /** The sequence number of its first record among those of its producer in the partition, unwrapped. */
    long sequence;

    long notBeforeNanos;

    int attempts;
    RuntimeException why = Errors.NETWORK_EXCEPTION.exception();

    boolean onItsWay;
    /** True when the broker may have written it without telling. */
    boolean uncertain;

    /**
     * @param codec null without compression
     * @param forHalves to take some records of another one whenever the broker finds that too large
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

    /** All its records are a batch now, compressed when that was first done; who they are, only its header says. */
    void sealUnnamed(long atMillis, RecordBatch.Origin origin) {
        begin(batch.count(), atMillis);
        unnamed = true;
        if (ahead != null) {
            sealed = ahead.again(timeMillis, origin);
            return;
        }
        CompressedBatch once = new CompressedBatch(Objects.requireNonNull(codec));
        for (int i = 0; i < records; i++) {
            // No easier to compress than identities are.
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
        messages.keep(first);
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

    /** Halves say who they are: nobody knows of their numbers. */
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

    /** Returns the compression ratio of its records: 1 without compression. */
    double ratio() {
        int all = batch.count();
        seal(all, 0, new RecordBatch.Origin());
        return (double) size() / batch.size(all);
    }

    /** It comes again after a pause that grows, as the clients' does. */
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
