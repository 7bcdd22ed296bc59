package weir.load.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The identity of a message that arrived. Its receiver uses it again after each batch. */
public final class Arrival {
    private boolean known;
    private int runTag;
    public boolean dated;

    public int producer;
    public long sequence;
    public long dueNanos;

    /** Reads an identity where it stands, without copying or moving anything. */
    public void read(ByteBuffer from) {
        read(from, from.position(), from.remaining());
    }

    /** Reads the identity that a value begins with; a value of less than no bytes is none. */
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

    /** Reads an identity from a header, whose value may be null or anything. */
    public void read(byte @Nullable [] identity) {
        if (identity == null || identity.length != Identity.BYTES) {
            unknown();
        } else {
            read(ByteBuffer.wrap(identity));
        }
    }

    /** True when it is ours, and does not say which one it is. */
    public boolean unnamed() {
        return known && sequence < 0;
    }

    /** Which one it is, although it does not say so. */
    public void is(long number) {
        sequence = number;
        dated = false;
    }

    /** Which one it is, and when it was due, although it does not say so. */
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
