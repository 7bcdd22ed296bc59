package weir.load.message;

/** The sources of the values and keys that messages are made of. */
public interface Contents {
    ValueSource values(int producer);

    KeySource keys(int producer);

    /** True when some values have no room for an identity. */
    boolean headers();

    /** Bytes of a value on average. */
    double meanBytes();
}
