package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.LegacyRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

/**
 * The conversion of message formats 0 and 1 (before Kafka 0.11) to record batches of format 2 without timestamps.
 * Brokers return messages in the format in which the messages are stored.
 */
final class OldMessages {
    private static final int SIZE_AT = 8;
    /** The bytes of the fields for offset and size, which the size excludes. */
    private static final int UNCOUNTED_BYTES = 12;

    private static final int MAGIC_AT = 16;
    /** The number of the last codec in these formats, LZ4. Zstandard is newer. */
    private static final int LAST_CODEC = 3;

    private static final long NO_TIME = -1;
    private static final int MOST_BYTES = 128 << 20;

    private OldMessages() {}

    private record Message(long offset, LegacyRecord content) {
        int codec() {
            return content.compressionType().id;
        }
    }

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
            ByteBuffer one = bytes.slice(at, next - at);
            batches.add(old ? batch(one) : one);
            all += batches.get(batches.size() - 1).remaining();
            at = next;
        }
        ByteBuffer converted = ByteBuffer.allocate(Math.toIntExact(all));
        batches.forEach(converted::put);
        return converted.flip();
    }

    private static ByteBuffer batch(ByteBuffer bytes) throws IOException {
        try {
            Message outer = messages(bytes).get(0);
            List<Message> messages = outer.codec() == Codecs.NONE ? List.of(outer) : inner(outer);
            try (MemoryRecordsBuilder batch = MemoryRecords.builder(
                    ByteBuffer.allocate(RecordBatch.HEADER_BYTES),
                    RecordBatch.MAGIC,
                    Compression.NONE,
                    TimestampType.CREATE_TIME,
                    messages.get(0).offset)) {
                for (Message each : messages) {
                    batch.appendWithOffset(each.offset, NO_TIME, each.content.key(), each.content.value());
                }
                return batch.build().buffer();
            }
        } catch (RuntimeException e) {
            // Kafka's reader throws many kinds of exceptions for malformed bytes.
            throw new IOException("old messages: " + e, e);
        }
    }

    private static List<Message> messages(ByteBuffer bytes) throws IOException {
        List<Message> messages = new ArrayList<>();
        while (bytes.hasRemaining()) {
            long offset = bytes.getLong();
            int size = bytes.getInt();
            Message message = new Message(offset, new LegacyRecord(bytes.slice(bytes.position(), size)));
            message.content.ensureValid();
            if (message.content.magic() > 1 || message.codec() > LAST_CODEC) {
                throw new IOException("old messages: a message of format " + message.content.magic()
                        + " and compression of kind " + message.codec());
            }
            bytes.position(bytes.position() + size);
            messages.add(message);
        }
        return messages;
    }

    /** Reads the messages in the value of another message. In format 1, their offsets are relative to the first. */
    private static List<Message> inner(Message outer) throws IOException {
        byte magic = outer.content.magic();
        byte[] bytes = Codecs.decompressed(outer.codec(), outer.content.value(), magic, MOST_BYTES);
        List<Message> inner = messages(ByteBuffer.wrap(bytes));
        if (inner.stream().anyMatch(each -> each.codec() != Codecs.NONE || each.content.magic() != magic)) {
            throw new IOException("old messages: compressed messages within compressed ones");
        }
        long base = magic == 0 ? 0 : outer.offset - inner.get(inner.size() - 1).offset;
        return inner.stream()
                .map(each -> new Message(base + each.offset, each.content))
                .toList();
    }
}
