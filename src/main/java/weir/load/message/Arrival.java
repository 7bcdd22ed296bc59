package weir.load.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The identity of a message that arrived, reused by its receiver after each batch. */
public final class Arrival {
    private boolean known;
    private int runTag;
    public boolean dated;

    public int producer;
    public long sequence;
    public long dueNanos;

    /** The time to deserialize the value of the message; zero without a deserializer. */
    public long deserializeNanos;

    public void read(ByteBuffer from) {
        read(from, from.position(), from.remaining());
    }

    /** Reads the identity at the start of a value, if {@code bytes} are enough for an identity. */
    public void read(ByteBuffer from, int at, int bytes) {
        known = bytes >= Identity.BYTES;
        if (known) {
            int checked = from.getInt(at + 4);
            runTag = from.getInt(at);
            producer = checked & Identity.PRODUCER;
            sequence = from.getLong(at + 8);
            dueNanos = from.getLong(at + 16);
            dated = true;
            known = checked == Identity.checked(runTag, producer, sequence, dueNanos);
        }
    }

    public void read(byte @Nullable [] identity) {
        if (identity == null || identity.length != Identity.BYTES) {
            unknown();
        } else {
            read(ByteBuffer.wrap(identity));
        }
    }

    /** Returns true if Weir sent the message but the message does not contain its number. */
    public boolean unnamed() {
        return known && sequence < 0;
    }

    public void is(long number) {
        sequence = number;
        dated = false;
    }

    public void is(long number, long due) {
        is(number);
        dueNanos = due;
        dated = true;
    }

    public void unknown() {
        known = false;
    }

    public boolean from(int tag) {
        return known && runTag == tag && sequence >= 0;
    }
}
