package weir.load;

/** Makes message values, one after the other. Owned by one sending thread. */
public interface ValueSource {
    /** The next value, which stays as it is only until the next call. */
    byte[] next(long sequence);

    /** Whether a value may be overwritten with its identity; one from a file may not. */
    boolean generated();
}
