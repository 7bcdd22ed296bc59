package weir.load.message;

/** A source of message values, owned by one sending thread. */
public interface ValueSource {
    /** Returns the next value, which is valid until the next call. */
    byte[] next(long sequence);

    /** Returns true when a value may be overwritten with its identity; text may not. */
    default boolean generated() {
        return false;
    }

    /**
     * Returns true when any value can be used for any message, so that a few values can be sent repeatedly. Each of
     * them has room for an identity.
     */
    default boolean interchangeable() {
        return false;
    }
}
