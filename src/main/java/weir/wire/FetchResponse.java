package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The answer to a {@link FetchRequest}, read in place, partition by partition. It is reused for the next answer. */
public final class FetchResponse extends TopicAnswer {
    private static final int NONE = -1;
    private static final int LEAST_PARTITION_BYTES = 20;
    private static final int TAG_DIVERGING = 0;

    /** The time during which the broker accepts no further requests. */
    public int throttleMillis;

    public short error;
    public int sessionId;
    public int partitionIndex;
    public short partitionError;
    int abortedAt;
    int aborted;
    public int recordsAt;
    public int recordsBytes;
    /** The offset from which the broker's log differs from the read records; -1 without a difference. */
    public long divergingEnd;

    public FetchResponse() {
        super("fetch response");
    }

    /** Begins to read the body of an answer in this version, from the buffer's position to its limit. */
    public void begin(ByteBuffer body, short inVersion) throws IOException {
        begin(body, Api.FETCH, inVersion);
        throttleMillis = cursor.int32();
        error = 0;
        sessionId = FetchRequest.NO_SESSION;
        if (version >= 7) {
            error = cursor.int16();
            sessionId = cursor.int32();
        }
        beginTopics(flexible ? 2 : 6);
    }

    public boolean next() throws IOException {
        if (!nextPartition(LEAST_PARTITION_BYTES)) {
            return false;
        }
        partitionIndex = cursor.int32();
        partitionError = cursor.int16();
        // The high watermark, the last stable offset and the start of the log.
        cursor.skip(version >= 5 ? 3 * Long.BYTES : 2 * Long.BYTES);
        aborted = Math.max(0, cursor.count(flexible, AbortedTransactions.LEAST_BYTES));
        abortedAt = cursor.at;
        for (int i = 0; i < aborted; i++) {
            cursor.skip(AbortedTransactions.LEAST_BYTES);
            cursor.skipTagged(flexible);
        }
        if (version >= 11) {
            // The preferred read replica, which needs a rack.
            cursor.int32();
        }
        recordsBytes = Math.max(0, cursor.piece(flexible));
        recordsAt = cursor.at;
        cursor.skip(recordsBytes);
        divergingEnd = NONE;
        if (flexible) {
            tagged();
        }
        return true;
    }

    private void tagged() throws IOException {
        for (int fields = cursor.unsignedVarint(); fields != 0; fields--) {
            int tag = cursor.unsignedVarint();
            int size = cursor.unsignedVarint();
            int at = cursor.at;
            cursor.skip(size);
            if (tag == TAG_DIVERGING && size >= Integer.BYTES + Long.BYTES) {
                divergingEnd = cursor.from.getLong(at + Integer.BYTES);
            }
        }
    }

    public ByteBuffer bytes() {
        return cursor.from;
    }
}
