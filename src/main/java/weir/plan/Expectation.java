package weir.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of a sentence in {@code expect} or {@code limits}. A part that is not set is an empty text.
 *
 * @param amount the value as written in the file
 * @param windows the share of windows that must meet the expectation; {@link #WHOLE} to judge the whole time
 */
public record Expectation(
        Metric metric,
        String stat,
        String of,
        String over,
        String during,
        Operator operator,
        String amount,
        double value,
        Unit unit,
        Ratio windows) {
    /** The value of {@code windows} for a sentence about the whole time. */
    public static final Ratio WHOLE = new Ratio(0);

    /** A comparison of the figure with the value. For {@code SAME_WITHIN}, the value is a share. */
    public enum Operator {
        BELOW("<"),
        AT_MOST("<="),
        ABOVE(">"),
        AT_LEAST(">="),
        EQUAL("=="),
        SAME_WITHIN("same within");

        private final String written;

        Operator(String written) {
            this.written = written;
        }

        public static Operator of(String written) {
            return Stream.of(values())
                    .filter(operator -> operator.written.equals(written))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The unit of the value. Durations are in seconds; a share of 1 is 100 %. */
    public enum Unit {
        NUMBER,
        SECONDS,
        SHARE,
        PER_SECOND,
        BYTES_PER_SECOND,
        RECORDS
    }

    public String text() {
        List<String> words = new ArrayList<>(List.of(metric.name(), stat));
        words.add(of.isEmpty() ? "" : "of " + of + (ratio() ? " / " + over : ""));
        words.add(during.isEmpty() ? "" : "during " + during);
        words.add(operator.written + " " + amount);
        words.add(byWindow() ? "for " + windows.percent() + " of windows" : "");
        words.removeIf(String::isEmpty);
        return String.join(" ", words);
    }

    /** The same expectation about other variants; an empty {@code newOver} is no ratio. */
    public Expectation with(String newOf, String newOver) {
        return new Expectation(metric, stat, newOf, newOver, during, operator, amount, value, unit, windows);
    }

    public boolean byWindow() {
        return windows.share() > 0;
    }

    public boolean ratio() {
        return !over.isEmpty();
    }

    public boolean latency() {
        return metric.kind() == Metric.Kind.LATENCY;
    }

    public boolean counts() {
        return metric.kind() == Metric.Kind.COUNT;
    }
}
