package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * The catch-up of readers with a backlog while producers ran, and its effect on the producers' response.
 *
 * @param behind the lag in records when the readers began
 * @param mebibytes the same lag in MiB of keys and values; null if nothing was read
 * @param seconds the seconds until the readers had caught up, or until the measured phase ended
 * @param expectedSeconds the estimated seconds until the readers would have caught up; null if they did or the lag did
 *     not shrink
 * @param recordsPerSecond the rate of reading during the catch-up; null if the catch-up took less than a whole second
 * @param lost the number of lost records that were due before the readers began; null if losses were not judged
 * @param before the response of messages that were acked in the second half of the warm-up
 * @param during the response of messages that were due up to the end of the second in which the readers caught up
 * @param after the response of messages that were due later
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
