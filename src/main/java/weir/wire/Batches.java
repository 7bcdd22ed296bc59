package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A reader of the record batches of one partition in an answer, without a copy. It ends at an incomplete batch, because
 * brokers may truncate the last batch.
 */
public final class Batches {
    private static final int CODEC = 0x7;
    private static final int APPEND_TIME = 1 << 3;
    private static final int TRANSACTIONAL = 1 << 4;
    private static final int CONTROL = 1 << 5;

    private final CRC32C crc = new CRC32C();
    ByteBuffer bytes = ByteCursor.NOTHING;
    private int at;
    int next;

    private int end;
    private long baseOffset;
    private long nextOffset;
    private int attributes;

    /** Begins to read the batches in {@code [first, behind)} of these bytes. */
    public void begin(ByteBuffer in, int first, int behind) {
        if (first < 0 || behind < first || behind > in.limit()) {
            throw new IndexOutOfBoundsException("batches from " + first + " to " + behind + " of " + in.limit());
        }
        bytes = in;
        next = first;
        end = behind;
        nextOffset = 0;
    }

    public boolean next() throws IOException {
        at = next;
        if (end - at <= RecordBatch.MAGIC_AT) {
            return false;
        }
        byte magic = bytes.get(at + RecordBatch.MAGIC_AT);
        if (magic == 0 || magic == 1) {
            bytes = OldMessages.converted(bytes, at, end);
            next = 0;
            end = bytes.limit();
            return next();
        }
        int length = bytes.getInt(at + RecordBatch.LENGTH_AT);
        if (magic != RecordBatch.MAGIC || length < RecordBatch.HEADER_BYTES - RecordBatch.UNCOUNTED_BYTES) {
            throw wrong("a batch of format " + magic + " and " + length + " bytes");
        }
        if (length > end - at - RecordBatch.UNCOUNTED_BYTES) {
            return false;
        }
        next = at + RecordBatch.UNCOUNTED_BYTES + length;
        readHeader();
        return true;
    }

    private void readHeader() throws IOException {
        baseOffset = bytes.getLong(at);
        int lastDelta = bytes.getInt(at + RecordBatch.LAST_DELTA_AT);
        // With a decreasing offset, a reader would request the same batches for ever.
        if (baseOffset < nextOffset || lastDelta < 0 || baseOffset > Long.MAX_VALUE - Integer.MAX_VALUE - 1L) {
            throw wrong("a batch of offset " + baseOffset + " and " + lastDelta + " more, behind offset "
                    + (nextOffset - 1));
        }
        nextOffset = baseOffset + lastDelta + 1;
        int count = count();
        if (count < 0 || count > lastDelta + 1L) {
            throw wrong(count + " records in a batch of " + (lastDelta + 1L) + " offsets");
        }
        attributes = bytes.getShort(at + RecordBatch.ATTRIBUTES_AT);
        if (codec() > Codecs.HIGHEST) {
            throw wrong("compression of kind " + codec());
        }
    }

    public void check() throws IOException {
        int limit = bytes.limit();
        int position = bytes.position();
        crc.reset();
        bytes.limit(next).position(at + RecordBatch.ATTRIBUTES_AT);
        crc.update(bytes);
        bytes.limit(limit).position(position);
        if ((int) crc.getValue() != bytes.getInt(at + RecordBatch.CRC_AT)) {
            throw wrong("a batch of " + count() + " records from offset " + baseOffset + " on whose CRC is "
                    + Integer.toHexString((int) crc.getValue()) + " and should be "
                    + Integer.toHexString(bytes.getInt(at + RecordBatch.CRC_AT)));
        }
    }

    public long baseOffset() {
        return baseOffset;
    }

    /** The offset after the batch; after the last batch, the offset of the next fetch; 0 without a batch. */
    public long nextOffset() {
        return nextOffset;
    }

    /** The number of records. After compaction, a batch may have fewer records than offsets. */
    public int count() {
        return bytes.getInt(at + RecordBatch.COUNT_AT);
    }

    public int size() {
        return next - at;
    }

    public int leaderEpoch() {
        return bytes.getInt(at + RecordBatch.LEADER_EPOCH_AT);
    }

    public boolean control() {
        return (attributes & CONTROL) != 0;
    }

    public boolean transactional() {
        return (attributes & TRANSACTIONAL) != 0;
    }

    public int codec() {
        return attributes & CODEC;
    }

    /** True if the times are those at which the broker appended the batch. */
    public boolean appendTime() {
        return (attributes & APPEND_TIME) != 0;
    }

    /** Milliseconds since 1970, to which each record adds its {@link RecordCursor#timeDelta}. */
    public long baseTime() {
        return bytes.getLong(at + RecordBatch.BASE_TIME_AT);
    }

    public long maxTime() {
        return bytes.getLong(at + RecordBatch.MAX_TIME_AT);
    }

    /** The producer's id; -1 without idempotence. */
    public long producerId() {
        return bytes.getLong(at + RecordBatch.PRODUCER_ID_AT);
    }

    public short producerEpoch() {
        return bytes.getShort(at + RecordBatch.PRODUCER_EPOCH_AT);
    }

    /** The sequence number of the first record; -1 without idempotence. */
    public int baseSequence() {
        return bytes.getInt(at + RecordBatch.SEQUENCE_AT);
    }

    int recordsAt() {
        return at + RecordBatch.HEADER_BYTES;
    }

    private IOException wrong(String found) {
        return new IOException("record batches: " + found + ", at byte " + at);
    }
}
