package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The answer to a {@link FetchRequest}, partition by partition, where it stands. Used again for the next answer. */
public final class FetchResponse {
    private static final int NONE = -1;
    private static final short TOPIC_IDS = 13;
    private static final int TAG_DIVERGING = 0;

    private final ByteCursor cursor = new ByteCursor("fetch response");
    private short version;
    private boolean flexible;
    private int throttleMillis;
    private short error;
    private int sessionId;
    private int topicsLeft;
    private int partitionsLeft;
    private boolean inTopic;
    private int topicAt;
    private int topicBytes;
    private int partition;
    private short partitionError;
    private long highWatermark;
    private long logStart;
    private int abortedAt;
    private int aborted;
    private int recordsAt;
    private int recordsBytes;
    private long divergingEnd;

    /** The body of an answer in this version, from the buffer's position to its limit. */
    public void begin(ByteBuffer body, short inVersion) throws IOException {
        cursor.begin(body, body.position(), body.limit());
        version = inVersion;
        flexible = Api.FETCH.flexible(version);
        throttleMillis = cursor.int32();
        error = 0;
        sessionId = FetchRequest.NO_SESSION;
        if (version >= 7) {
            error = cursor.int16();
            sessionId = cursor.int32();
        }
        topicsLeft = Math.max(0, cursor.count(flexible, flexible ? 2 : 6));
        partitionsLeft = 0;
        inTopic = false;
    }

    /** For so long the broker wants no more requests. */
    public int throttleMillis() {
        return throttleMillis;
    }

    /** The error code of the answer as a whole. */
    public short error() {
        return error;
    }

    public int sessionId() {
        return sessionId;
    }

    /** Goes to the next partition; false behind the last one. */
    public boolean next() throws IOException {
        while (partitionsLeft == 0) {
            if (inTopic && flexible) {
                cursor.skipTagged();
            }
            inTopic = topicsLeft > 0;
            if (!inTopic) {
                return false;
            }
            topicsLeft--;
            topic();
        }
        partitionsLeft--;
        partition();
        return true;
    }

    private void topic() throws IOException {
        topicBytes = version >= TOPIC_IDS ? TopicName.ID_BYTES : Math.max(0, cursor.string(flexible));
        topicAt = cursor.at();
        cursor.skip(topicBytes);
        partitionsLeft = Math.max(0, cursor.count(flexible, 20));
    }

    private void partition() throws IOException {
        partition = cursor.int32();
        partitionError = cursor.int16();
        highWatermark = cursor.int64();
        // The last stable offset: what lies behind it is not sent anyway.
        cursor.int64();
        logStart = version >= 5 ? cursor.int64() : NONE;
        aborted = Math.max(0, cursor.count(flexible, AbortedTransactions.LEAST_BYTES));
        abortedAt = cursor.at();
        for (int i = 0; i < aborted; i++) {
            cursor.skip(AbortedTransactions.LEAST_BYTES);
            if (flexible) {
                cursor.skipTagged();
            }
        }
        if (version >= 11) {
            // A replica that is nearer: we have no rack.
            cursor.int32();
        }
        recordsBytes = Math.max(0, cursor.piece(flexible));
        recordsAt = cursor.at();
        cursor.skip(recordsBytes);
        divergingEnd = NONE;
        if (flexible) {
            tagged();
        }
    }

    private void tagged() throws IOException {
        for (int fields = cursor.unsignedVarint(); fields != 0; fields--) {
            int tag = cursor.unsignedVarint();
            int size = cursor.unsignedVarint();
            int at = cursor.at();
            cursor.skip(size);
            if (tag == TAG_DIVERGING && size >= Integer.BYTES + Long.BYTES) {
                divergingEnd = cursor.bytes().getLong(at + Integer.BYTES);
            }
        }
    }

    /** True when the partition is one of this topic. */
    public boolean of(TopicName topic) {
        return version >= TOPIC_IDS
                ? topic.isIdentified(cursor.bytes(), topicAt)
                : topic.isNamed(cursor.bytes(), topicAt, topicBytes);
    }

    public int partitionIndex() {
        return partition;
    }

    public short partitionError() {
        return partitionError;
    }

    public long highWatermark() {
        return highWatermark;
    }

    /** The oldest offset that is left; -1 when it is not told. */
    public long logStart() {
        return logStart;
    }

    /** Where what we read last and what the log has now part; -1 if they do not. */
    public long divergingEnd() {
        return divergingEnd;
    }

    /** Where the record batches begin. */
    public int recordsAt() {
        return recordsAt;
    }

    public int recordsBytes() {
        return recordsBytes;
    }

    public ByteBuffer bytes() {
        return cursor.bytes();
    }

    /** Aborted transactions that the records may be part of. */
    public int aborted() {
        return aborted;
    }

    int abortedAt() {
        return abortedAt;
    }

    boolean flexible() {
        return flexible;
    }
}
