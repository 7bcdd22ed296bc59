package weir.load.message;

/** A source of message values, owned by one sending thread. */
public interface ValueSource {
    /** Returns the next value, which is valid until the next call. */
    byte[] next(long sequence);

    /** Returns true if the identity may overwrite a value. It may not overwrite text. */
    default boolean generated() {
        return false;
    }

    /** Returns true if each message can have any value. Each value then has space for an identity. */
    default boolean interchangeable() {
        return false;
    }
}
