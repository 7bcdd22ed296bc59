package weir.cluster.sink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.cluster.sink.SinkRequestHandler.SinkCounters;

/** A streaming handler of Produce requests that reads only the headers of record batches. */
final class ProduceHandler {
    private static final short FLEXIBLE = 9;
    private static final short BY_ID = 13;
    private static final int MOST_NAME = 249;
    private static final int MOST_PARTITIONS = 100_000;

    private static final int BATCH_HEADER = 61;

    /** Bytes at the start of a batch that the length in its header excludes. */
    private static final int BEFORE_LENGTH_ENDS = 12;

    private final SinkRequestReader in;
    private final ReplyBuffer out;
    private final SinkCounters counters;
    private boolean compact;

    ProduceHandler(SinkRequestReader in, ReplyBuffer out, SinkCounters counters) {
        this.in = in;
        this.out = out;
        this.counters = counters;
    }

    void answer(short version, int correlation) throws IOException {
        compact = version >= FLEXIBLE;
        out.begin();
        out.putInt(correlation);
        noTags();
        in.skip(Math.max(0, textLength()));
        short acks = in.readShort();
        in.readInt();
        int topics = count();
        out.putCount(compact, topics);
        for (int i = 0; i < topics; i++) {
            topic(version);
        }
        tagged();
        out.putInt(0);
        noTags();
        if (acks == 0) {
            out.forget();
        } else {
            out.end();
        }
    }

    private void topic(short version) throws IOException {
        SinkCounters.@Nullable Topic topic;
        Errors unknown;
        if (version >= BY_ID) {
            Uuid id = new Uuid(in.readLong(), in.readLong());
            out.putLong(id.getMostSignificantBits());
            out.putLong(id.getLeastSignificantBits());
            topic = counters.of(id);
            unknown = Errors.UNKNOWN_TOPIC_ID;
        } else {
            String name = new String(in.readBytes(textLength(), MOST_NAME), StandardCharsets.UTF_8);
            out.putText(compact, name);
            topic = counters.named(name);
            unknown = Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        int partitions = count();
        out.putCount(compact, partitions);
        for (int i = 0; i < partitions; i++) {
            int index = in.readInt();
            long records = records(compact ? compactLength() : in.readInt());
            tagged();
            out.putInt(index);
            if (topic == null || index < 0 || index >= topic.ends().size()) {
                partition(version, topic == null ? unknown : Errors.UNKNOWN_TOPIC_OR_PARTITION, -1);
            } else if (records < 0) {
                partition(version, Errors.INVALID_RECORD, -1);
            } else {
                AtomicLong end = topic.ends().get(index);
                partition(version, Errors.NONE, end.getAndAdd(records));
            }
        }
        tagged();
        noTags();
    }

    private void partition(short version, Errors error, long offset) {
        out.putShort(error.code());
        out.putLong(offset);
        out.putLong(-1);
        if (version >= 5) {
            out.putLong(0);
        }
        if (version >= 8) {
            // No record errors, and no error message.
            out.putCount(compact, 0);
            out.putLength(compact, -1);
        }
        noTags();
    }

    /** The number of records in batches of {@code length} bytes; -1 if the bytes are not batches. */
    private long records(long length) throws IOException {
        long left = Math.max(0, length);
        long records = 0;
        while (left >= BATCH_HEADER) {
            in.skip(Long.BYTES);
            long batch = in.readInt() + (long) BEFORE_LENGTH_ENDS;
            in.skip(Integer.BYTES);
            byte magic = in.readByte();
            in.skip(40);
            int count = in.readInt();
            left -= BATCH_HEADER;
            if (magic != 2 || count < 0 || batch < BATCH_HEADER || batch - BATCH_HEADER > left) {
                records = -1;
                break;
            }
            in.skip(batch - BATCH_HEADER);
            left -= batch - BATCH_HEADER;
            records += count;
        }
        in.skip(left);
        return left > 0 || length <= 0 ? -1 : records;
    }

    private long textLength() throws IOException {
        return compact ? compactLength() : in.readShort();
    }

    private long compactLength() throws IOException {
        return Integer.toUnsignedLong(in.readVarint()) - 1;
    }

    private int count() throws IOException {
        int count = compact ? in.readVarint() - 1 : in.readInt();
        if (count < 0 || count > MOST_PARTITIONS) {
            throw new IOException("a request with " + count + " topics or partitions");
        }
        return count;
    }

    private void noTags() {
        if (compact) {
            out.putByte(0);
        }
    }

    private void tagged() throws IOException {
        if (compact) {
            skipTags(in);
        }
    }

    static void skipTags(SinkRequestReader in) throws IOException {
        int tags = in.readVarint();
        for (int i = 0; Integer.compareUnsigned(i, tags) < 0; i++) {
            in.readVarint();
            in.skip(Integer.toUnsignedLong(in.readVarint()));
        }
    }
}
