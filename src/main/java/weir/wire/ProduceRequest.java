package weir.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A request to write record batches, at most one for each partition. The request refers to the batches without copying
 * them. After it is written, the object can be reused, which allocates no memory.
 */
public final class ProduceRequest {
    private static final int LONGEST_VARINT = 5;

    private final RequestHead head;
    private final short version;
    private final short acks;
    private final int timeoutMillis;
    private final boolean flexible;
    private TopicName[] topics = new TopicName[4];
    private int[] partitions = new int[4];
    private ByteBuffer[] batches = new ByteBuffer[4];
    private ByteBuffer around = ByteCursor.NOTHING;
    private ByteBuffer[] pieces = new ByteBuffer[0];

    private ByteBuffer[] parts = new ByteBuffer[0];
    private int size;
    private int bytes;

    /** Creates a request. {@code timeoutMillis} limits the broker's wait for its followers. */
    public ProduceRequest(String clientId, short version, short acks, int timeoutMillis) {
        this.head = new RequestHead(clientId);
        this.version = version;
        this.acks = acks;
        this.timeoutMillis = timeoutMillis;
        this.flexible = Api.PRODUCE.flexible(version);
    }

    public short version() {
        return version;
    }

    public void clear() {
        size = 0;
    }

    /** Adds a batch. All batches of a topic must be added consecutively. */
    public void add(TopicName topic, int partition, ByteBuffer batch) {
        if (size == topics.length) {
            topics = Arrays.copyOf(topics, 2 * size);
            partitions = Arrays.copyOf(partitions, 2 * size);
            batches = Arrays.copyOf(batches, 2 * size);
        }
        topics[size] = topic;
        partitions[size] = partition;
        batches[size++] = batch;
    }

    /** Builds the request from the added batches. {@link #parts} returns it until the next call. */
    public void seal(int correlation) {
        reserve();
        around.clear();
        head.put(around, Api.PRODUCE, version, correlation, 0);
        // No transactional id.
        RequestHead.putLength(around, flexible, -1);
        around.putShort(acks);
        around.putInt(timeoutMillis);
        RequestHead.putCount(around, flexible, topics());
        int from = 0;
        bytes = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || topics[i] != topics[i - 1]) {
                topics[i].put(around, version, flexible);
                RequestHead.putCount(around, flexible, sameTopic(i));
            }
            around.putInt(partitions[i]);
            RequestHead.putCount(around, flexible, batches[i].remaining());
            from = piece(2 * i, from);
            parts[2 * i + 1] = batches[i];
            bytes += batches[i].remaining();
            RequestHead.putNoTags(around, flexible);
            boolean lastOfTopic = i + 1 == size || topics[i + 1] != topics[i];
            RequestHead.putNoTags(around, flexible && lastOfTopic);
        }
        RequestHead.putNoTags(around, flexible);
        piece(2 * size, from);
        bytes += around.position();
        RequestHead.length(around, 0, bytes);
    }

    public ByteBuffer[] parts() {
        return parts;
    }

    public int count() {
        return 2 * size + 1;
    }

    public int bytes() {
        return bytes;
    }

    private int topics() {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += i == 0 || topics[i] != topics[i - 1] ? 1 : 0;
        }
        return count;
    }

    private int sameTopic(int first) {
        int behind = first;
        while (behind < size && topics[behind] == topics[first]) {
            behind++;
        }
        return behind - first;
    }

    private int piece(int part, int from) {
        ByteBuffer piece = pieces[part / 2];
        piece.limit(around.position()).position(from);
        parts[part] = piece;
        return around.position();
    }

    private void reserve() {
        int most = head.bytes(Api.PRODUCE, version) + 16 + LONGEST_VARINT;
        for (int i = 0; i < size; i++) {
            most += topics[i].nameBytes() + TopicName.ID_BYTES + 4 * LONGEST_VARINT;
        }
        if (around.capacity() < most || pieces.length < size + 1) {
            around = ByteBuffer.allocateDirect(2 * most);
            pieces = new ByteBuffer[2 * size + 2];
            Arrays.setAll(pieces, i -> around.duplicate());
            parts = new ByteBuffer[2 * pieces.length];
        }
    }
}
