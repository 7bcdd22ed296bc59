package weir.load;

/** What messages are made of. */
public interface Contents {
    ValueSource values(int producer);

    KeySource keys(int producer);

    /** Bytes of a value on average. */
    double meanBytes();
}
