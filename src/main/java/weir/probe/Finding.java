package weir.probe;

/**
 * One thing about a machine that is to measure.
 *
 * @param figure what was found, empty when it cannot be known
 * @param meaning what that means for measuring, or why it cannot be known
 * @param advice what to do, empty when there is nothing to do
 */
public record Finding(String name, String figure, Verdict verdict, String meaning, String advice) {
    /** The effect of a finding on the numbers measured here. */
    public enum Verdict {
        FINE,
        DOUBT,
        /** Numbers would be about this and not about Kafka. */
        BAD,
        UNKNOWN
    }
}
