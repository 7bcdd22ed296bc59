package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * The catch-up of readers that began far behind while producers went on, and its effect on the producers' response.
 *
 * @param behind records when the readers began
 * @param mebibytes the same in bytes of keys and values; null when nothing was read
 * @param reached whether they caught up before the measured phase was over
 * @param seconds until they had, or until the measured phase was over
 * @param expectedSeconds until they would have; null where they did, and where the lag did not shrink
 * @param recordsPerSecond read meanwhile; null for less than a whole second
 * @param lost of the records that were due before the readers began; null is "not judged"
 * @param before the response of what was acked in the second half of the warm-up
 * @param during the response of what was due before the second in which they had caught up was over
 * @param after the response of what was due later
 */
public record CatchUpResult(
        long behind,
        @Nullable Double mebibytes,
        boolean reached,
        double seconds,
        @Nullable Double expectedSeconds,
        @Nullable Double recordsPerSecond,
        @Nullable Double mebibytesPerSecond,
        @Nullable Long lost,
        LatencyResult before,
        LatencyResult during,
        LatencyResult after) {
    /** Returns text such as 14.2 s, or ≥ 60 s if the measured phase ended first. */
    public String time() {
        return (reached ? "" : "≥ ") + NumberFormat.seconds(seconds);
    }

    public LatencyResult usual() {
        return before.count() > 0 ? before : after;
    }
}
