package weir.load.message;

import java.nio.ByteBuffer;

/** The identity of a message that arrived. Its receiver uses it again after each batch. */
public final class Arrival {
    private boolean known;
    private int runTag;
    /** True when it is known when it was due. */
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
            runTag = from.getInt(at);
            producer = from.getInt(at + 4);
            sequence = from.getLong(at + 8);
            dueNanos = from.getLong(at + 16);
            dated = true;
        }
    }

    /** Reads an identity from a header. */
    public void read(byte[] identity) {
        known = identity.length == Identity.BYTES;
        if (known) {
            runTag = Identity.runTag(identity);
            producer = Identity.producer(identity);
            sequence = Identity.sequence(identity);
            dueNanos = Identity.dueNanos(identity);
            dated = true;
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

    /** Nobody knows it. */
    public void unknown() {
        known = false;
    }

    /** True when a run with this tag sent it. */
    public boolean from(int tag) {
        return known && runTag == tag && sequence >= 0;
    }
}
