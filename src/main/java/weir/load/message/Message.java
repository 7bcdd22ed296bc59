package weir.load.message;

/** The message to send next. Each sender uses one such object for all messages, on its own thread. */
public final class Message {
    public int topic;
    /** The key. A message without a key has the object {@link KeySource#NONE} itself. */
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
