package weir.load.message;

/** A source of message values, one after the other. Owned by one sending thread. */
public interface ValueSource {
    /** The next value, which stays as it is only until the next call. */
    byte[] next(long sequence);

    /** True when a value may be overwritten with its identity; text may not. */
    default boolean generated() {
        return false;
    }

    /** True when any value does for any message, so that some made once may be sent again and again; all have room for an identity. */
    default boolean interchangeable() {
        return false;
    }
}
