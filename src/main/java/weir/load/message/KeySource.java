package weir.load.message;

/** A source of message keys. Owned by one sending thread. */
public interface KeySource {
    /** Instead of a key where there is none. */
    byte[] NONE = new byte[0];

    KeySource KEYLESS = (sequence, value) -> NONE;

    /** The key of the message with this value, before its identity is written into it; good until the next call. */
    byte[] next(long sequence, byte[] value);
}
