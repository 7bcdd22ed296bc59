package weir.load.message;

/** The next message of a sender, which uses one object for all messages on its own thread. */
public final class Message {
    public int topic;
    public byte[] key = KeySource.NONE;

    public byte[] value = new byte[0];
    public boolean header;

    public final byte[] identity = new byte[Identity.BYTES];

    public byte[] identified() {
        return header ? identity : value;
    }

    public int bytes() {
        return key.length + value.length;
    }
}
