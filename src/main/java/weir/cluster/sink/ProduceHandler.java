package weir.cluster.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
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
        in.skip(Math.max(0, textLength()));
        short acks = in.readShort();
        in.readInt();
        ProduceResponseData data = new ProduceResponseData();
        for (int left = count(); left > 0; left--) {
            data.responses().add(topic(version));
        }
        tagged();
        if (acks != 0) {
            out.put(SinkRequestHandler.whole(ApiKeys.PRODUCE, version, correlation, data));
        }
    }

    private ProduceResponseData.TopicProduceResponse topic(short version) throws IOException {
        ProduceResponseData.TopicProduceResponse answer = new ProduceResponseData.TopicProduceResponse();
        SinkCounters.@Nullable Topic topic;
        Errors unknown;
        if (version >= BY_ID) {
            Uuid id = new Uuid(in.readLong(), in.readLong());
            answer.setTopicId(id);
            topic = counters.of(id);
            unknown = Errors.UNKNOWN_TOPIC_ID;
        } else {
            String name = new String(in.readBytes(textLength(), MOST_NAME), StandardCharsets.UTF_8);
            answer.setName(name);
            topic = counters.named(name);
            unknown = Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        for (int left = count(); left > 0; left--) {
            int index = in.readInt();
            long records = records(bytesLength());
            tagged();
            ProduceResponseData.PartitionProduceResponse partition = new ProduceResponseData.PartitionProduceResponse()
                    .setIndex(index)
                    .setBaseOffset(-1);
            if (topic == null || index < 0 || index >= topic.ends().size()) {
                partition.setErrorCode((topic == null ? unknown : Errors.UNKNOWN_TOPIC_OR_PARTITION).code());
            } else if (records < 0) {
                partition.setErrorCode(Errors.INVALID_RECORD.code());
            } else {
                partition.setBaseOffset(topic.ends().get(index).getAndAdd(records));
            }
            answer.partitionResponses().add(partition.setLogStartOffset(0));
        }
        tagged();
        return answer;
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

    private long bytesLength() throws IOException {
        return compact ? compactLength() : in.readInt();
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

    /** The pending replies of one connection. They are sent together before the server waits for the next request. */
    static final class ReplyBuffer {
        private final WritableByteChannel to;
        private final ByteBuffer pending = ByteBuffer.allocateDirect(64 << 10);

        ReplyBuffer(WritableByteChannel to) {
            this.to = to;
        }

        void put(ByteBuffer reply) throws IOException {
            if (pending.remaining() < reply.remaining()) {
                flush();
            }
            if (pending.remaining() < reply.remaining()) {
                write(reply);
            } else {
                pending.put(reply);
            }
        }

        void flush() throws IOException {
            write(pending.flip());
            pending.clear();
        }

        private void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
        }
    }
}
