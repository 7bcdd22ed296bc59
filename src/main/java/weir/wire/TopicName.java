package weir.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The name of a topic in requests and answers or, in later versions, its unique id. */
public final class TopicName {
    static final int ID_BYTES = 16;

    private final String name;
    private final TopicId id;
    private final byte[] utf8;

    public TopicName(String name, TopicId id) {
        this.name = name;
        this.id = id;
        this.utf8 = name.getBytes(StandardCharsets.UTF_8);
    }

    public String name() {
        return name;
    }

    public TopicId id() {
        return id;
    }

    public boolean hasId() {
        return !id.equals(TopicId.NONE);
    }

    int nameBytes() {
        return utf8.length;
    }

    void putName(ByteBuffer into) {
        into.put(utf8);
    }

    void putId(ByteBuffer into) {
        into.putLong(id.high()).putLong(id.low());
    }

    boolean isNamed(ByteBuffer in, int at, int length) {
        if (length != utf8.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (in.get(at + i) != utf8[i]) {
                return false;
            }
        }
        return true;
    }

    boolean isIdentified(ByteBuffer in, int at) {
        return in.getLong(at) == id.high() && in.getLong(at + 8) == id.low();
    }

    @Override
    public String toString() {
        return name;
    }
}
