package weir.load.message;

/** A source of message keys. Owned by one sending thread. */
public interface KeySource {
    byte[] NONE = new byte[0];

    KeySource KEYLESS = (sequence, value) -> NONE;

    /** Returns the key for this value, before the identity is written into the value; valid until the next call. */
    byte[] next(long sequence, byte[] value);
}
