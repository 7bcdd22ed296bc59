package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.ComparisonResult.PublishedRatio;

/**
 * The time of one variant's operations as a multiple of another's, at one statistic. {@code low} and {@code high} are
 * the 95 % interval, null below four repeats.
 *
 * @param millisOfA the geometric mean over the trials, as the ratio is that of these, or that of all operations where they are pooled
 * @param pooled whether trials are too short for this statistic, so that their operations are taken together
 * @param thin whether fewer than ten operations of a side lie beyond it, of all of them where they are pooled
 * @param atLeast those of the two whose figure is only a lower bound, as operations that never ended reach it; of two there is no ratio
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
