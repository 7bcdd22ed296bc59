package weir.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A record batch of format 2 in its own buffer, for one thread. Records are appended once. The first n records can then
 * be sent many times, each time with other identities and another batch header.
 */
public final class RecordBatch {
    public static final int HEADER_BYTES = 61;

    /** The object for a missing key, or for a missing value of a header. */
    public static final byte[] NONE = new byte[0];

    /** The bytes that the length of a batch excludes: the base offset and the length. */
    static final int UNCOUNTED_BYTES = 12;

    static final int LENGTH_AT = 8;
    static final int LEADER_EPOCH_AT = 12;
    static final int CRC_AT = 17;
    static final int ATTRIBUTES_AT = 21;
    static final int BASE_TIME_AT = 27;
    static final int MAGIC_AT = 16;
    static final int LAST_DELTA_AT = 23;
    static final int MAX_TIME_AT = 35;
    static final int PRODUCER_ID_AT = 43;
    static final int PRODUCER_EPOCH_AT = 51;
    static final int SEQUENCE_AT = 53;
    static final int COUNT_AT = 57;
    static final byte MAGIC = 2;
    private static final int LONGEST_VARINT = 5;
    private static final int MOST_BYTES = 1 << 30;

    private final byte[] headerName;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer bytes;
    private ByteBuffer ready;
    private int count;
    private int[] ends = new int[64];
    private int[] identities = new int[64];
    private long[] contents = new long[64];

    /** The sender of a batch, its time and, for an idempotent producer, its first sequence number. */
    public static final class Origin {
        /** The producer id without idempotence. */
        public static final long NO_PRODUCER = -1;

        private long producerId = NO_PRODUCER;
        private short epoch = -1;
        private int sequence = -1;

        public void is(long id, short ofEpoch, int baseSequence) {
            producerId = id;
            epoch = ofEpoch;
            sequence = baseSequence;
        }
    }

    /**
     * @param size the bytes of the buffer, which grows for a larger record
     * @param headerName the name of the single header that a record may have
     */
    public RecordBatch(int size, byte[] headerName) {
        this.headerName = headerName.clone();
        this.bytes = ByteBuffer.allocateDirect(size);
        this.ready = bytes.duplicate();
        clear();
    }

    public void clear() {
        count = 0;
        bytes.clear().position(HEADER_BYTES);
    }

    public int count() {
        return count;
    }

    public int size(int records) {
        return records == 0 ? HEADER_BYTES : ends[records - 1];
    }

    public long contents(int records) {
        return records == 0 ? 0 : contents[records - 1];
    }

    public int cost(byte[] key, byte[] value, byte[] header) {
        int body = body(key, value, header);
        return varintBytes(body) + body;
    }

    private int body(byte[] key, byte[] value, byte[] header) {
        int headers = header == NONE
                ? 1
                : 1 + varintBytes(headerName.length) + headerName.length + varintBytes(header.length) + header.length;
        int keyed = key == NONE ? 1 : varintBytes(key.length) + key.length;
        return 2 + varintBytes(count) + keyed + varintBytes(value.length) + value.length + headers;
    }

    /** Appends a record with the time of its batch. A value of at least 24 bytes has space for an identity. */
    public void append(byte[] key, byte[] value, byte[] header) {
        int body = body(key, value, header);
        reserve(LONGEST_VARINT + body);
        varint(body);
        bytes.put((byte) 0);
        varint(0);
        varint(count);
        if (key == NONE) {
            varint(-1);
        } else {
            varint(key.length);
            bytes.put(key);
        }
        varint(value.length);
        identities[count] = bytes.position();
        bytes.put(value);
        if (header == NONE) {
            varint(0);
        } else {
            varint(1);
            varint(headerName.length);
            bytes.put(headerName);
            varint(header.length);
            bytes.put(header);
        }
        contents[count] = contents(count) + key.length + value.length;
        ends[count++] = bytes.position();
    }

    public void append(RecordBatch other, int record) {
        int from = record == 0 ? HEADER_BYTES : other.ends[record - 1];
        while (other.bytes.get(from++) < 0) {
            // The bytes after the record's length are the fields before its key.
        }
        from += 2 + varintBytes(record);
        int length = other.ends[record] - from;
        int body = 2 + varintBytes(count) + length;
        reserve(LONGEST_VARINT + body);
        varint(body);
        bytes.put((byte) 0);
        varint(0);
        varint(count);
        int to = bytes.position();
        bytes.put(to, other.bytes, from, length).position(to + length);
        identities[count] = other.identities[record] - from + to;
        contents[count] = contents(count) + other.contents(record + 1) - other.contents(record);
        ends[count++] = bytes.position();
    }

    /** The first 8 bytes of a value, which are the start of an identity if there is one. */
    public long head(int record) {
        return bytes.getLong(identities[record]);
    }

    /** Writes the variable part of an identity: the 20 bytes after the first 4 bytes of the value. */
    public void identify(int record, int checked, long sequence, long dueNanos) {
        int at = identities[record];
        bytes.putInt(at + 4, checked);
        bytes.putLong(at + 8, sequence);
        bytes.putLong(at + 16, dueNanos);
    }

    /** The first records as a whole batch from position 0 on. The next call and each patch change it. */
    public ByteBuffer seal(int records, long timeMillis, Origin origin) {
        int size = size(records);
        header(bytes, records, 0, timeMillis, origin);
        return close(bytes, ready, size, crc);
    }

    ByteBuffer records(int records) {
        return ready.clear().position(HEADER_BYTES).limit(size(records));
    }

    static void header(ByteBuffer into, int records, int attributes, long timeMillis, Origin origin) {
        into.putLong(0, 0);
        into.putInt(LEADER_EPOCH_AT, -1);
        into.put(MAGIC_AT, MAGIC);
        into.putShort(ATTRIBUTES_AT, (short) attributes);
        into.putInt(LAST_DELTA_AT, records - 1);
        into.putInt(COUNT_AT, records);
        time(into, timeMillis);
        origin(into, origin);
    }

    static void time(ByteBuffer into, long timeMillis) {
        into.putLong(BASE_TIME_AT, timeMillis);
        into.putLong(MAX_TIME_AT, timeMillis);
    }

    static void origin(ByteBuffer into, Origin origin) {
        into.putLong(PRODUCER_ID_AT, origin.producerId);
        into.putShort(PRODUCER_EPOCH_AT, origin.epoch);
        into.putInt(SEQUENCE_AT, origin.sequence);
    }

    static ByteBuffer close(ByteBuffer bytes, ByteBuffer ready, int size, CRC32C crc) {
        bytes.putInt(LENGTH_AT, size - UNCOUNTED_BYTES);
        ready.clear().position(ATTRIBUTES_AT).limit(size);
        crc.reset();
        crc.update(ready);
        bytes.putInt(CRC_AT, (int) crc.getValue());
        return ready.position(0);
    }

    /** Returns the last sealed batch with another origin, which the broker treats as another batch. */
    public ByteBuffer again(Origin origin) {
        origin(bytes, origin);
        return close(bytes, ready, bytes.getInt(LENGTH_AT) + UNCOUNTED_BYTES, crc);
    }

    private void reserve(int more) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            identities = Arrays.copyOf(identities, 2 * count);
            contents = Arrays.copyOf(contents, 2 * count);
        }
        if (bytes.remaining() < more) {
            long needed = (long) bytes.position() + more;
            if (needed > MOST_BYTES) {
                throw new IllegalArgumentException("a record batch of " + needed + " bytes");
            }
            long holdsIdentity = Math.min(MOST_BYTES, Math.max(needed, bytes.capacity() + (long) bytes.capacity() / 2));
            ByteBuffer larger = ByteBuffer.allocateDirect((int) holdsIdentity);
            larger.put(bytes.flip());
            bytes = larger;
            ready = larger.duplicate();
        }
    }

    private void varint(int value) {
        RequestHead.putUnsigned(bytes, (value << 1) ^ (value >> 31));
    }

    private static int varintBytes(int value) {
        int zigzag = (value << 1) ^ (value >> 31);
        return (38 - Integer.numberOfLeadingZeros(zigzag | 1)) / 7;
    }
}
