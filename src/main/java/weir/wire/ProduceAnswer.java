package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The answer of a broker to a {@link ProduceRequest}, batch by batch. It is reused, and allocates only for errors. */
public final class ProduceAnswer extends TopicAnswer {
    private static final short FIRST_WITH_START = 5;
    private static final short FIRST_WITH_ERRORS = 8;
    private static final int LEAST_TOPIC_BYTES = 3;
    private static final int LEAST_PARTITION_BYTES = 4 + 2 + 8 + 8;
    private static final int LEAST_ERROR_BYTES = 5;

    public int partition;
    /** A code for {@link BrokerError#of}; 0 if the broker has written the batch. */
    public short error;
    /** The offset of the batch's first record; -1 if unknown. */
    public long baseOffset;
    /** The time during which the broker accepts no further requests, known after the last batch. */
    public int throttleMillis;

    public ProduceAnswer() {
        super("an answer to produce");
    }

    public void begin(ByteBuffer body, short ofVersion) throws IOException {
        begin(body, Api.PRODUCE, ofVersion);
        beginTopics(LEAST_TOPIC_BYTES);
        throttleMillis = 0;
    }

    public boolean next() throws IOException {
        if (!nextPartition(LEAST_PARTITION_BYTES)) {
            finish();
            return false;
        }
        partition = cursor.int32();
        error = cursor.int16();
        baseOffset = cursor.int64();
        // The append time, for topics that use it; the records of Weir have the producer's time.
        cursor.int64();
        if (version >= FIRST_WITH_START) {
            cursor.int64();
        }
        if (version >= FIRST_WITH_ERRORS) {
            skipErrors();
        }
        cursor.skipTagged(flexible);
        return true;
    }

    private void skipErrors() throws IOException {
        for (int left = cursor.count(flexible, LEAST_ERROR_BYTES); left > 0; left--) {
            cursor.int32();
            skipString();
            cursor.skipTagged(flexible);
        }
        skipString();
    }

    private void skipString() throws IOException {
        cursor.skip(Math.max(0, cursor.string(flexible)));
    }

    private void finish() throws IOException {
        throttleMillis = cursor.int32();
        cursor.skipTagged(flexible);
        if (cursor.left() > 0) {
            throw cursor.wrong(cursor.left() + " bytes behind its end");
        }
    }
}
