package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An answer with partitions of each topic, read in place. It is reused for the next answer and allocates nothing. */
abstract class TopicAnswer {
    final ByteCursor cursor;
    short version;
    boolean flexible;
    private int topicsLeft;
    private int partitionsLeft;
    private boolean inTopic;
    private int topicAt;
    private int topicBytes;

    TopicAnswer(String what) {
        this.cursor = new ByteCursor(what);
    }

    final void begin(ByteBuffer body, Api api, short inVersion) {
        cursor.begin(body, body.position(), body.limit());
        version = inVersion;
        flexible = api.flexible(version);
    }

    final void beginTopics(int leastBytes) throws IOException {
        topicsLeft = Math.max(0, cursor.count(flexible, leastBytes));
        partitionsLeft = 0;
        inTopic = false;
    }

    /** Moves to the next partition of at least this many bytes; false after the last partition. */
    final boolean nextPartition(int leastBytes) throws IOException {
        while (partitionsLeft == 0) {
            cursor.skipTagged(inTopic && flexible);
            inTopic = topicsLeft > 0;
            if (!inTopic) {
                return false;
            }
            topicsLeft--;
            topicBytes = TopicName.byId(version) ? TopicName.ID_BYTES : Math.max(0, cursor.string(flexible));
            topicAt = cursor.at;
            cursor.skip(topicBytes);
            partitionsLeft = Math.max(0, cursor.count(flexible, leastBytes));
        }
        partitionsLeft--;
        return true;
    }

    public final boolean isFor(TopicName topic) {
        return topic.isAt(cursor.from, version, topicAt, topicBytes);
    }
}
