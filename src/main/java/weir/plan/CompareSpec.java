package weir.plan;

/** Two variants whose difference is asked for. */
public sealed interface CompareSpec {
    /** {@code a / b}. */
    record Over(String a, String b) implements CompareSpec {}

    /** Where {@code a} lies between {@code from} (0) and {@code to} (1). */
    record Between(String a, String from, String to) implements CompareSpec {}

    /** A ratio that somebody else published: of which comparison, at which statistic. */
    record Published(String source, Over of, String stat, double ratio) {
        public Published {
            if (!(ratio > 0) || ratio == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("a published ratio is above 0, got " + ratio);
            }
        }
    }
}
