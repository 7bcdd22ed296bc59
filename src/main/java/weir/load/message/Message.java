package weir.load.message;

/** The message to send next; each sender reuses a single one, on its own thread. */
public final class Message {
    public int topic;
    /** The key, or exactly {@link KeySource#NONE}. */
    public byte[] key = KeySource.NONE;

    public byte[] value = new byte[0];
    public boolean header;

    public final byte[] identity = new byte[Identity.BYTES];

    public Message() {}

    public byte[] identified() {
        return header ? identity : value;
    }

    public int bytes() {
        return key.length + value.length;
    }
}
