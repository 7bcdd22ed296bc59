package weir.probe;

/**
 * One finding about a machine for measurements.
 *
 * @param figure the measured value, empty if unknown
 * @param meaning its effect on measurements, or why it is unknown
 * @param advice may be empty
 */
public record Finding(String name, String figure, Verdict verdict, String meaning, String advice) {
    public enum Verdict {
        FINE,
        DOUBT,
        /** Measurements would show the machine's problem instead of Kafka's performance. */
        BAD,
        UNKNOWN
    }
}
