package weir.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Record batches as Kafka's own client writes them, and their content. */
final class Written {
    static final byte[] HEADER = "weir".getBytes(StandardCharsets.US_ASCII);
    private static final long NO_PRODUCER = RecordBatch.NO_PRODUCER_ID;

    final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    final List<One> records = new ArrayList<>();
    private final SplittableRandom random;
    private long offset;

    /** The parts of one record that a reader should find. */
    record One(long offset, int size, String value, String header) {}

    Written(SplittableRandom random) {
        this.random = random;
    }

    ByteBuffer whole() {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.position());
        return direct.put(bytes.duplicate().flip()).flip();
    }

    long next() {
        return offset;
    }

    /** Writes some records of every kind, sometimes after a gap. */
    void batch(int codec, int count) {
        batch(codec, count, NO_PRODUCER);
    }

    /** Writes records of a transaction of this producer. */
    void batch(int codec, int count, long producerId) {
        offset += random.nextInt(3);
        boolean transactional = producerId != NO_PRODUCER;
        MemoryRecordsBuilder builder = builder(codec, producerId, transactional, false);
        for (int i = 0; i < count; i++) {
            byte[] key = some(random.nextInt(4) > 0 ? -1 : random.nextInt(40));
            byte[] value = some(random.nextInt(20) == 0 ? -1 : random.nextInt(400));
            Header[] headers = headers();
            builder.append(1_700_000_000_000L + random.nextInt(1000), key, value, headers);
            String header = "none";
            for (Header one : headers) {
                header = one.key().equals("weir") ? text(one.value()) : header;
            }
            records.add(new One(offset++, length(key) + length(value), text(value), header));
        }
        add(builder.build());
    }

    void mark(long producerId, boolean commits) {
        MemoryRecordsBuilder builder = builder(0, producerId, true, true);
        ControlRecordType type = commits ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        builder.appendEndTxnMarker(1_700_000_000_000L, new EndTransactionMarker(type, 0));
        add(builder.build());
        offset++;
    }

    private void add(MemoryRecords built) {
        bytes.put(built.buffer());
    }

    private MemoryRecordsBuilder builder(int codec, long producerId, boolean transactional, boolean control) {
        return new MemoryRecordsBuilder(
                ByteBuffer.allocate(4096),
                RecordBatch.CURRENT_MAGIC_VALUE,
                Compression.of(CompressionType.forId(codec)).build(),
                TimestampType.CREATE_TIME,
                offset,
                1_700_000_000_000L,
                producerId,
                (short) (producerId == NO_PRODUCER ? -1 : 0),
                producerId == NO_PRODUCER || control ? -1 : 0,
                transactional,
                control,
                7,
                1 << 20);
    }

    private Header[] headers() {
        Header[] headers = new Header[random.nextInt(4) > 0 ? 0 : random.nextInt(4)];
        for (int i = 0; i < headers.length; i++) {
            String name = random.nextBoolean() ? "weir" : random.nextBoolean() ? "weirs" : "other";
            headers[i] = new RecordHeader(name, some(random.nextInt(5) == 0 ? -1 : random.nextInt(30)));
        }
        return headers;
    }

    @SuppressWarnings("NullAway")
    private byte[] some(int length) {
        if (length < 0) {
            return null;
        }
        byte[] some = new byte[length];
        for (int i = 0; i < length; i++) {
            some[i] = (byte) ('a' + random.nextInt(4));
        }
        return some;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static String text(byte[] bytes) {
        return bytes == null ? "null" : new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Reads all records like a receiver. */
    static List<One> read(ByteBuffer bytes) throws java.io.IOException {
        List<One> read = new ArrayList<>();
        Batches batches = new Batches();
        batches.begin(bytes, 0, bytes.limit());
        try (RecordCursor records = new RecordCursor(HEADER, 1 << 20)) {
            while (batches.next()) {
                batches.check();
                records.begin(batches);
                while (!batches.control() && records.next()) {
                    read.add(new One(
                            records.offset(),
                            records.size(),
                            text(records, records.valueAt, records.valueSize),
                            records.hasHeader() ? text(records, records.headerAt, records.headerSize) : "none"));
                }
            }
        }
        return read;
    }

    private static String text(RecordCursor records, int at, int size) {
        if (size < 0) {
            return "null";
        }
        byte[] text = new byte[size];
        records.bytes().get(at, text);
        return text(text);
    }
}
