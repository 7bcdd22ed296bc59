package weir.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;

/** The name of a topic in requests and answers or, in later versions, its unique id. */
public final class TopicName {
    static final int ID_BYTES = 16;

    /** The first version of fetch and of produce with topic ids instead of names. */
    private static final short FIRST_BY_ID = 13;

    private final String name;
    private final Uuid id;
    private final byte[] utf8;

    public TopicName(String name, Uuid id) {
        this.name = name;
        this.id = id;
        this.utf8 = name.getBytes(StandardCharsets.UTF_8);
    }

    public String name() {
        return name;
    }

    public Uuid id() {
        return id;
    }

    public boolean hasId() {
        return !id.equals(Uuid.ZERO_UUID);
    }

    int nameBytes() {
        return utf8.length;
    }

    static boolean byId(short version) {
        return version >= FIRST_BY_ID;
    }

    void put(ByteBuffer into, short version, boolean flexible) {
        if (byId(version)) {
            into.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        } else {
            RequestHead.putLength(into, flexible, utf8.length);
            into.put(utf8);
        }
    }

    boolean isAt(ByteBuffer in, short version, int at, int length) {
        if (byId(version)) {
            return in.getLong(at) == id.getMostSignificantBits()
                    && in.getLong(at + Long.BYTES) == id.getLeastSignificantBits();
        }
        return ByteCursor.equal(in, at, length, utf8);
    }

    @Override
    public String toString() {
        return name;
    }
}
