package weir.plan;

/** The source of message keys. */
public sealed interface KeySpec {
    record None() implements KeySpec {}

    /** The sequence number as text. */
    record Sequence() implements KeySpec {}

    record Random() implements KeySpec {}

    /** One of {@code distinct} keys, by Zipf's law with this exponent. */
    record Skewed(long distinct, double exponent) implements KeySpec {}

    /** A column of a value's line, counted from 1. */
    record Column(int column) implements KeySpec {}
}
