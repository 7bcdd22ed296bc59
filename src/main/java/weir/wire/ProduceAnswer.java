package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The answer of a broker to a {@link ProduceRequest}, batch by batch. Used again; allocates nothing but for errors. */
public final class ProduceAnswer {
    private static final short FIRST_BY_ID = 13;
    private static final short FIRST_WITH_START = 5;
    private static final short FIRST_WITH_ERRORS = 8;
    private static final int LEAST_TOPIC_BYTES = 3;
    private static final int LEAST_PARTITION_BYTES = 4 + 2 + 8 + 8;
    private static final int LEAST_ERROR_BYTES = 5;

    private final ByteCursor cursor = new ByteCursor("an answer to produce");
    private short version;
    private boolean flexible;
    private int topicsLeft;
    private int partitionsLeft;
    private boolean inTopic;
    private int topicAt;
    private int topicBytes;
    private int partition;
    private short error;
    private long baseOffset;
    private int throttleMillis;

    /** Reads what lies between the buffer's position and its limit. */
    public void begin(ByteBuffer body, short ofVersion) throws IOException {
        version = ofVersion;
        flexible = Api.PRODUCE.flexible(version);
        cursor.begin(body, body.position(), body.limit());
        topicsLeft = Math.max(0, cursor.count(flexible, LEAST_TOPIC_BYTES));
        partitionsLeft = 0;
        inTopic = false;
        throttleMillis = 0;
    }

    /** Goes to the next batch; false behind the last one. */
    public boolean next() throws IOException {
        while (partitionsLeft == 0) {
            if (inTopic && flexible) {
                cursor.skipTagged();
            }
            inTopic = false;
            if (topicsLeft == 0) {
                finish();
                return false;
            }
            topicsLeft--;
            inTopic = true;
            topicBytes = version >= FIRST_BY_ID ? TopicName.ID_BYTES : cursor.string(flexible);
            topicAt = cursor.at();
            cursor.skip(Math.max(0, topicBytes));
            partitionsLeft = Math.max(0, cursor.count(flexible, LEAST_PARTITION_BYTES));
        }
        partitionsLeft--;
        partition = cursor.int32();
        error = cursor.int16();
        baseOffset = cursor.int64();
        // When the broker wrote it, if topics are set so: record times are those of the producer here.
        cursor.int64();
        if (version >= FIRST_WITH_START) {
            cursor.int64();
        }
        if (version >= FIRST_WITH_ERRORS) {
            skipErrors();
        }
        if (flexible) {
            cursor.skipTagged();
        }
        return true;
    }

    private void skipErrors() throws IOException {
        for (int left = cursor.count(flexible, LEAST_ERROR_BYTES); left > 0; left--) {
            cursor.int32();
            skipString();
            if (flexible) {
                cursor.skipTagged();
            }
        }
        skipString();
    }

    private void skipString() throws IOException {
        cursor.skip(Math.max(0, cursor.string(flexible)));
    }

    private void finish() throws IOException {
        throttleMillis = cursor.int32();
        if (flexible) {
            cursor.skipTagged();
        }
        if (cursor.left() > 0) {
            throw cursor.wrong(cursor.left() + " bytes behind its end");
        }
    }

    /** True when the batch was for this topic. */
    public boolean isFor(TopicName topic) {
        return version >= FIRST_BY_ID
                ? topic.isIdentified(cursor.bytes(), topicAt)
                : topic.isNamed(cursor.bytes(), topicAt, topicBytes);
    }

    public int partition() {
        return partition;
    }

    /** A code for {@link BrokerError#of}, 0 when the batch is written. */
    public short error() {
        return error;
    }

    /** The offset of the batch's first record; -1 when nobody knows. */
    public long baseOffset() {
        return baseOffset;
    }

    /** For how long the broker wants to hear nothing more from us; known behind the last batch. */
    public int throttleMillis() {
        return throttleMillis;
    }
}
