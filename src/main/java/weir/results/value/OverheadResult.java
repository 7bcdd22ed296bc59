package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.ComparisonResult.PublishedRatio;

/**
 * The ratio of the operation times of variants a and b at one statistic, such as p99. {@code low} and {@code high} are
 * the ends of the 95 % interval. They are null with fewer than four repeats.
 *
 * @param millisOfA the geometric mean over the trials, or the statistic of the pooled operations
 * @param pooled true if the operations of all trials are pooled, because single trials are too short
 * @param thin true if a variant has fewer than ten operations above the percentile
 * @param atLeast the variants whose figure is a lower bound because of unfinished operations; with two, no ratio
 */
public record OverheadResult(
        String a,
        String b,
        String stat,
        @Nullable Double millisOfA,
        @Nullable Double millisOfB,
        @Nullable Double ratio,
        @Nullable Double low,
        @Nullable Double high,
        boolean pooled,
        boolean thin,
        List<String> atLeast,
        List<PublishedRatio> published) {
    public OverheadResult {
        atLeast = List.copyOf(atLeast);
        published = List.copyOf(published);
    }

    public String pair() {
        return a + " / " + b;
    }

    public String writtenA() {
        return (atLeast.contains(a) ? "≥ " : "") + NumberFormat.millis(millisOfA);
    }

    public String writtenB() {
        return (atLeast.contains(b) ? "≥ " : "") + NumberFormat.millis(millisOfB);
    }

    public String text() {
        String bound = ratio == null || atLeast.isEmpty() ? "" : atLeast.contains(a) ? "≥ " : "≤ ";
        return bound + NumberFormat.times(ratio) + NumberFormat.interval(low, high, NumberFormat::times);
    }

    public String label() {
        return (pooled ? "pooled" : "") + (pooled && thin ? ", " : "") + (thin ? "thin" : "");
    }
}
