package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stage of a pace. {@code step} counts as in the windows: the first measured one is 2. A closed loop has no rate.
 *
 * @param drainedAfter seconds from its end until everything due in it was acked, and where somebody reads, received; null
 *     where that never came, or is not known
 * @param queueGrowth messages per second by which more was due than acked, all the time; null where
 *     the rate changes, or nobody looked
 * @param achievedPerSecond messages per second that were due in it and, before it ended, acked and, where somebody reads,
 *     received; null where nothing is sent, and in runs of earlier builds
 * @param verdict null for a closed loop
 */
public record StepResult(
        @Nullable Double rate,
        int step,
        String label,
        double from,
        double seconds,
        Figures figures,
        @Nullable Double drainedAfter,
        @Nullable Double queueGrowth,
        @Nullable Double achievedPerSecond,
        @Nullable StepVerdict verdict) {
    /** Not judged yet. */
    public StepResult(@Nullable Double rate, int step, String label, double from, double seconds, Figures figures) {
        this(rate, step, label, from, seconds, figures, null, null, null, null);
    }

    /** The same, judged. */
    public StepResult with(StepVerdict judged) {
        return new StepResult(
                rate, step, label, from, seconds, figures, drainedAfter, queueGrowth, achievedPerSecond, judged);
    }

    /** The limits that it did not hold. */
    public List<String> missed() {
        return verdict == null ? List.of() : verdict.missed();
    }
}
