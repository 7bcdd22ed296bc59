package weir.load.message;

/** The message that is sent next. Its sender's thread owns it, and every message of that sender is this one again. */
public final class Message {
    public int step;
    public long sequence;
    public long dueNanos;
    public int topic;
    public byte[] key = KeySource.NONE;
    public byte[] value = new byte[0];
    public boolean header;
    public final byte[] identity = new byte[Identity.BYTES];

    public Message() {}

    public int step() {
        return step;
    }

    public long sequence() {
        return sequence;
    }

    public long dueNanos() {
        return dueNanos;
    }

    /** The index of the topic among those of the load. */
    public int topic() {
        return topic;
    }

    /** {@link KeySource#NONE} itself when there is none. */
    public byte[] key() {
        return key;
    }

    public byte[] value() {
        return value;
    }

    /** True when {@link #identity} goes into a header, because the value has no room for it. */
    public boolean header() {
        return header;
    }

    public byte[] identity() {
        return identity;
    }

    /** The array that begins with the identity. */
    public byte[] identified() {
        return header ? identity : value;
    }

    /** Bytes of key and value. */
    public int bytes() {
        return key.length + value.length;
    }
}
