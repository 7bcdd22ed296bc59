package weir.results;

import org.jspecify.annotations.Nullable;

/**
 * How one variant's figure compares with another's. {@code ratio} is a / b, or where there is a {@code to}, how far a went
 * from b (0) to it (1); {@code low} and {@code high} are its 95 % interval, {@code visible} the smallest change that these
 * trials could have shown, as a ratio. Latencies are in milliseconds; a count is that of the worst trial and has no ratio.
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
        @Nullable Double visible) {
    /** What is compared with what, as {@code compare} says it. */
    public String pair() {
        return to == null ? a + " / " + b : a + " from " + b + " to " + to;
    }

    /** The ratio and its interval as people read it. */
    public String text() {
        if (ratio == null) {
            return Written.figure(metric, figureOfA) + " against " + Written.figure(metric, figureOfB);
        }
        String interval = low == null && high == null ? "" : " [" + end(low) + ", " + end(high) + "]";
        return written(ratio) + interval;
    }

    private String end(@Nullable Double bound) {
        return bound == null ? "?" : written(bound);
    }

    /** A ratio, or a share of the way, as people read it. */
    public String written(@Nullable Double figure) {
        if (figure == null) {
            return Written.MISSING;
        }
        return to == null ? Written.times(figure) : Written.share(figure);
    }
}
