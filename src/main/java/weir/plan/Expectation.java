package weir.plan;

/** A sentence of the {@code expect} or {@code limits} list, taken apart. Empty texts mean "not said". */
public record Expectation(
        String text,
        String metric,
        String stat,
        String of,
        String over,
        String during,
        Operator operator,
        double value,
        Unit unit,
        Ratio windows) {
    /** How the figure is held against the value; {@code SAME_WITHIN} reads the value as a share. */
    public enum Operator {
        BELOW,
        AT_MOST,
        ABOVE,
        AT_LEAST,
        EQUAL,
        SAME_WITHIN
    }

    /** What the value counts: durations are seconds, shares 1 = 100 %. */
    public enum Unit {
        NUMBER,
        SECONDS,
        SHARE,
        PER_SECOND,
        BYTES_PER_SECOND,
        RECORDS
    }

    /** Whether the metric is a number of messages. */
    public boolean counts() {
        return Expectations.COUNTS.contains(metric);
    }
}
