package weir.plan;

/** Two variants whose difference is asked for. */
public sealed interface CompareSpec {
    /** {@code a / b}. */
    record Over(String a, String b) implements CompareSpec {}

    /** Where {@code a} lies between {@code from} (0) and {@code to} (1). */
    record Between(String a, String from, String to) implements CompareSpec {}
}
