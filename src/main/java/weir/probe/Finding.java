package weir.probe;

/**
 * One finding about a machine on which Weir is to measure.
 *
 * @param figure what was found, empty when it cannot be known
 * @param meaning what that means for measuring, or why it cannot be known
 * @param advice what to do, empty when there is nothing to do
 */
public record Finding(String name, String figure, Verdict verdict, String meaning, String advice) {
    public enum Verdict {
        FINE,
        DOUBT,
        /** Numbers would describe this problem and not Kafka. */
        BAD,
        UNKNOWN
    }
}
