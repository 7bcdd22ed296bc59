package weir.load.message;

/** The message that is sent next. Its sender's thread owns it, and every message of that sender is this one again. */
public final class Message {
    public int step;
    public long sequence;
    public long dueNanos;
    /** The index of the topic among those of the load. */
    public int topic;
    /** {@link KeySource#NONE} itself when there is none. */
    public byte[] key = KeySource.NONE;

    public byte[] value = new byte[0];
    /** True when {@link #identity} goes into a header, because the value has no room for it. */
    public boolean header;

    public final byte[] identity = new byte[Identity.BYTES];

    public Message() {}

    /** The array that begins with the identity. */
    public byte[] identified() {
        return header ? identity : value;
    }

    /** Bytes of key and value. */
    public int bytes() {
        return key.length + value.length;
    }
}
