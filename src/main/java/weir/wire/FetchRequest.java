package weir.wire;

import java.nio.ByteBuffer;

/** A fetch request in memory, reusable after it was written. */
public final class FetchRequest {
    /** The session id for no session. Without a session, the broker forgets each request after its answer. */
    public static final int NO_SESSION = 0;

    /** The session epoch for no session; the next constant is the epoch for a new session. */
    public static final int NO_EPOCH = -1;

    public static final int NEW_EPOCH = 0;

    private static final int CONSUMER = -1;
    private static final int NONE = -1;
    /** The limit in bytes of all fields of one element, and of the fields before and after all topics. */
    private static final int ROOM = 128;

    private final RequestHead head;
    private ByteBuffer bytes = ByteBuffer.allocateDirect(1024);
    private short version;
    private boolean flexible;
    private boolean open;

    /** The limits of an answer, in size and time; {@code committed} excludes open and aborted transactions. */
    public record Limits(int maxWaitMillis, int minBytes, int maxBytes, boolean committed) {}

    public FetchRequest(RequestHead head) {
        this.head = head;
    }

    /** Begins a request. {@link #topic} must then be called {@code topics} times. */
    public void begin(short inVersion, int correlation, Limits limits, int sessionId, int sessionEpoch, int topics) {
        version = inVersion;
        flexible = Api.FETCH.flexible(version);
        open = false;
        bytes.clear();
        room(head.bytes(Api.FETCH, version) + ROOM);
        head.put(bytes, Api.FETCH, version, correlation, 0);
        if (version < 15) {
            bytes.putInt(CONSUMER);
        }
        bytes.putInt(limits.maxWaitMillis).putInt(limits.minBytes).putInt(limits.maxBytes);
        bytes.put((byte) (limits.committed ? 1 : 0));
        if (version >= 7) {
            bytes.putInt(sessionId).putInt(sessionEpoch);
        }
        RequestHead.putCount(bytes, flexible, topics);
    }

    /** Begins a topic. {@link #partition} must then be called {@code partitions} times. */
    public void topic(TopicName topic, int partitions) {
        endTopic();
        room(topic.nameBytes() + ROOM);
        topic.put(bytes, version, flexible);
        RequestHead.putCount(bytes, flexible, partitions);
        open = flexible;
    }

    private void endTopic() {
        RequestHead.putNoTags(bytes, open);
        open = false;
    }

    /**
     * Adds a partition. {@code lastEpoch} is the leader epoch of the last read record, or -1. With it, the broker
     * detects that its log differs from the read records.
     */
    public void partition(int index, int leaderEpoch, long offset, int lastEpoch, int maxBytes) {
        room(ROOM);
        bytes.putInt(index);
        if (version >= 9) {
            bytes.putInt(leaderEpoch);
        }
        bytes.putLong(offset);
        if (version >= 12) {
            bytes.putInt(lastEpoch);
        }
        if (version >= 5) {
            bytes.putLong(NONE);
        }
        bytes.putInt(maxBytes);
        RequestHead.putNoTags(bytes, flexible);
    }

    public ByteBuffer end() {
        endTopic();
        room(ROOM);
        if (version >= 7) {
            // A session never loses partitions; a new session replaces it.
            RequestHead.putCount(bytes, flexible, 0);
        }
        if (version >= 11) {
            // No rack.
            RequestHead.putLength(bytes, flexible, 0);
        }
        RequestHead.putNoTags(bytes, flexible);
        RequestHead.length(bytes, 0, bytes.position());
        return bytes.flip();
    }

    private void room(int needed) {
        if (bytes.remaining() < needed) {
            ByteBuffer larger = ByteBuffer.allocateDirect(2 * (bytes.position() + needed));
            bytes = larger.put(bytes.flip());
        }
    }
}
