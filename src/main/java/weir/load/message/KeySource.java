package weir.load.message;

/** A source of message keys. Owned by one sending thread. */
public interface KeySource {
    byte[] NONE = new byte[0];

    KeySource KEYLESS = (sequence, value) -> NONE;

    /** Returns the key for a value without identity; the key is valid until the next call. */
    byte[] next(long sequence, byte[] value);
}
