package weir.plan;

/** The source of message keys. */
public sealed interface KeySpec {
    record None() implements KeySpec {}

    /** The sequence number as text. */
    record Sequence() implements KeySpec {}

    record Random() implements KeySpec {}

    /**
     * One of {@code distinct} keys. Key number k is drawn with a probability proportional to {@code 1 / k^exponent}
     * (Zipf's law).
     */
    record Skewed(long distinct, double exponent) implements KeySpec {}

    /** A column of the value's line, counted from 1. */
    record Column(int column) implements KeySpec {}
}
