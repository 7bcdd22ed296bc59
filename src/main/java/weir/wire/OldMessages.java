package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of message formats 0 and 1 (before Kafka 0.11) to record batches of format 2 without timestamps.
 * Brokers return messages in the format in which the messages are stored.
 */
final class OldMessages {
    private static final int SIZE_AT = 8;
    /** The bytes of the fields for offset and size, which the size excludes. */
    private static final int UNCOUNTED_BYTES = 12;

    private static final int MAGIC_AT = 16;
    private static final int CODEC = 0x7;
    /** The number of the last codec in these formats, LZ4. Zstandard is newer. */
    private static final int LAST_CODEC = 3;

    private static final long NO_TIME = -1;
    private static final int MOST_BYTES = 128 << 20;

    private final ByteCursor cursor = new ByteCursor("old messages");

    private OldMessages() {}

    private record Message(
            long offset,
            byte magic,
            int codec,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value) {}

    /** Converts all complete messages in {@code [from, end)}. Old messages become batches; batches stay unchanged. */
    static ByteBuffer converted(ByteBuffer bytes, int from, int end) throws IOException {
        List<ByteBuffer> batches = new ArrayList<>();
        long all = 0;
        int at = from;
        while (end - at > MAGIC_AT) {
            int size = bytes.getInt(at + SIZE_AT);
            boolean old = bytes.get(at + MAGIC_AT) == 0 || bytes.get(at + MAGIC_AT) == 1;
            if (size > end - at - UNCOUNTED_BYTES) {
                break;
            }
            // The reader of a batch refuses a wrong size.
            int next = old || size > 0 ? at + UNCOUNTED_BYTES + Math.max(0, size) : end;
            batches.add(old ? new OldMessages().batch(bytes, at, next) : bytes.slice(at, next - at));
            all += batches.get(batches.size() - 1).remaining();
            at = next;
        }
        ByteBuffer converted = ByteBuffer.allocate(Math.toIntExact(all));
        batches.forEach(converted::put);
        return converted.flip();
    }

    private ByteBuffer batch(ByteBuffer bytes, int at, int end) throws IOException {
        cursor.begin(bytes, at, end);
        Message outer = message();
        List<Message> messages = outer.codec == Codecs.NONE ? List.of(outer) : inner(outer);
        try (MemoryRecordsBuilder batch = MemoryRecords.builder(
                ByteBuffer.allocate(RecordBatch.HEADER_BYTES),
                org.apache.kafka.common.record.internal.RecordBatch.MAGIC_VALUE_V2,
                Compression.NONE,
                TimestampType.CREATE_TIME,
                messages.get(0).offset)) {
            for (Message each : messages) {
                batch.appendWithOffset(each.offset, NO_TIME, each.key, each.value);
            }
            return batch.build().buffer();
        } catch (RuntimeException e) {
            throw new IOException("old messages: " + e, e);
        }
    }

    private Message message() throws IOException {
        long offset = cursor.int64();
        int size = cursor.int32();
        int end = cursor.at + size;
        int crc = cursor.int32();
        if (size < Integer.BYTES || crc != crc(cursor.from, cursor.at, end)) {
            throw cursor.wrong("a message of " + size + " bytes at offset " + offset + " whose CRC is another");
        }
        byte magic = cursor.int8();
        int codec = cursor.int8() & CODEC;
        cursor.skip(magic == 0 ? 0 : Long.BYTES);
        Message message = new Message(offset, magic, codec, piece(), piece());
        if (magic < 0 || magic > 1 || codec > LAST_CODEC || cursor.at != end) {
            throw cursor.wrong("a message of format " + magic + " and compression of kind " + codec);
        }
        return message;
    }

    private @Nullable ByteBuffer piece() throws IOException {
        int size = cursor.piece(false);
        int at = cursor.at;
        cursor.skip(Math.max(0, size));
        return size < 0 ? null : cursor.from.slice(at, size);
    }

    private int crc(ByteBuffer bytes, int from, int end) throws IOException {
        if (end < from || end > cursor.end) {
            throw cursor.wrong("a message up to byte " + end);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes.slice(from, end - from));
        return (int) crc.getValue();
    }

    /** Reads the messages in the value of another message. In format 1, their offsets are relative to the first. */
    private List<Message> inner(Message outer) throws IOException {
        if (outer.value == null) {
            throw cursor.wrong("compressed messages without bytes");
        }
        ByteBuffer bytes = ByteBuffer.wrap(Codecs.decompressed(outer.codec, outer.value, outer.magic, MOST_BYTES));
        cursor.begin(bytes, 0, bytes.limit());
        List<Message> inner = new ArrayList<>();
        while (cursor.left() > 0) {
            Message each = message();
            if (each.codec != Codecs.NONE || each.magic != outer.magic) {
                throw cursor.wrong("compressed messages within compressed ones");
            }
            inner.add(each);
        }
        if (inner.isEmpty()) {
            throw cursor.wrong("no messages within a compressed one");
        }
        long base = outer.magic == 0 ? 0 : outer.offset - inner.get(inner.size() - 1).offset;
        inner.replaceAll(each -> new Message(base + each.offset, each.magic, each.codec, each.key, each.value));
        return inner;
    }
}
