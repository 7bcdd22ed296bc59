package weir.results.value;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.plan.RecordKeys;

/**
 * The comparison of two variants by one metric. Figures are geometric means over the trials, or the count of the worst
 * trial. The primary metric has a 95 % interval. The intervals of the other metrics are wider. An interval excludes "no
 * difference" exactly if the verdict reports a difference.
 *
 * @param ratio a / b; if {@code to} is given, the position of a between b (0) and to (1)
 * @param low lower end of the ratio's interval; {@code high} is the upper end; null if unknown
 * @param visible the smallest detectable ratio
 * @param atLeast the variants whose figure is a lower bound, so that one end of the interval is unknown
 */
public record ComparisonResult(
        String a,
        String b,
        @Nullable String to,
        String metric,
        @Nullable Double figureOfA,
        @Nullable Double figureOfB,
        @Nullable Double ratio,
        @Nullable Double low,
        @Nullable Double high,
        String verdict,
        @Nullable Double visible,
        List<String> atLeast,
        String note,
        List<PublishedRatio> published) {
    public ComparisonResult {
        atLeast = List.copyOf(atLeast);
        published = List.copyOf(published);
    }

    public ComparisonResult with(List<PublishedRatio> others) {
        return RecordKeys.with(this, Map.of("published", others));
    }

    /** Returns the figures without ratio and interval. */
    public ComparisonResult apart(String otherVerdict) {
        return new ComparisonResult(
                a, b, to, metric, figureOfA, figureOfB, null, null, null, otherVerdict, null, atLeast, "", List.of());
    }

    public String pair() {
        return to == null ? a + " / " + b : a + " from " + b + " to " + to;
    }

    public String text() {
        if (ratio == null) {
            return writtenA() + " against " + writtenB();
        }
        String interval = low == null && high == null ? "" : " [" + end(low) + ", " + end(high) + "]";
        return writtenRatio() + interval;
    }

    public String sentence() {
        String others = PublishedRatio.text(published);
        return pair() + ", " + metric + ": " + text() + ", " + judged() + (others.isEmpty() ? "" : "; " + others);
    }

    public String judged() {
        return note.isEmpty() ? verdict : verdict + " (" + note + ")";
    }

    public String writtenA() {
        return (atLeast.contains(a) ? "≥ " : "") + NumberFormat.figure(metric, figureOfA);
    }

    public String writtenB() {
        return (atLeast.contains(b) ? "≥ " : "") + NumberFormat.figure(metric, figureOfB);
    }

    public String writtenRatio() {
        boolean bound = ratio != null && to == null && atLeast.size() == 1;
        return (bound ? atLeast.contains(a) ? "≥ " : "≤ " : "") + written(ratio);
    }

    /** The ends of the interval, with a question mark for an unknown end. */
    public String interval() {
        return low == null && high == null ? NumberFormat.MISSING : end(low) + " … " + end(high);
    }

    private String end(@Nullable Double bound) {
        return bound == null ? "?" : written(bound);
    }

    public String written(@Nullable Double figure) {
        if (figure == null) {
            return NumberFormat.MISSING;
        }
        return to == null ? NumberFormat.times(figure) : NumberFormat.share(figure);
    }

    public record PublishedRatio(String source, double ratio) {
        public static String written(List<PublishedRatio> all, String source) {
            return all.stream()
                    .filter(one -> one.source().equals(source))
                    .findFirst()
                    .map(one -> NumberFormat.times(one.ratio()))
                    .orElse(NumberFormat.MISSING);
        }

        /** All published ratios in one line, such as "2.13× in the guide"; empty if there are none. */
        public static String text(List<PublishedRatio> all) {
            return all.stream()
                    .map(one -> NumberFormat.times(one.ratio()) + " in " + one.source())
                    .collect(Collectors.joining(", "));
        }
    }
}
