package weir.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;

/** The name of a topic in requests and answers or, in later versions, its unique id. */
public final class TopicName {
    static final int ID_BYTES = 16;

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

    void putName(ByteBuffer into) {
        into.put(utf8);
    }

    void putId(ByteBuffer into) {
        into.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
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
        return in.getLong(at) == id.getMostSignificantBits() && in.getLong(at + 8) == id.getLeastSignificantBits();
    }

    @Override
    public String toString() {
        return name;
    }
}
