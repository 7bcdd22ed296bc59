package weir.plan;

/**
 * A sentence of the {@code expect} or {@code limits} list, taken apart. Empty texts mean "not said".
 *
 * @param windows the share of windows that must hold, {@link #WHOLE} when it is said of the whole time
 */
public record Expectation(
        String text,
        Metric metric,
        String stat,
        String of,
        String over,
        String during,
        Operator operator,
        double value,
        Unit unit,
        Ratio windows) {
    /** Not window by window. */
    public static final Ratio WHOLE = new Ratio(0);

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

    /** Whether each window is judged by itself. */
    public boolean byWindow() {
        return windows.share() > 0;
    }

    /** Whether two variants are held against each other. */
    public boolean ratio() {
        return !over.isEmpty();
    }

    /** Whether the metric is a time that each message takes. */
    public boolean latency() {
        return metric.kind() == Metric.Kind.LATENCY;
    }

    /** Whether the metric is a number of messages. */
    public boolean counts() {
        return metric.kind() == Metric.Kind.COUNT;
    }
}
