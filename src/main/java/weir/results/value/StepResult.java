package weir.results.value;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.plan.RecordKeys;

/**
 * One stage of a pace. {@code step} counts as in the windows: the first measured one is 2. A closed loop has no rate.
 *
 * @param drainedAfter seconds from its end until everything due in it was acked, and, with readers, received; null
 *     where that never came, or is not known
 * @param queueGrowth messages per second by which more was due than acked, all the time; null where
 *     the rate changes, or it was not measured
 * @param achievedPerSecond messages per second that were due in it and, before it ended, acked and, with readers,
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
    public StepResult with(StepVerdict judged) {
        return RecordKeys.with(this, Map.of("verdict", judged));
    }

    public List<String> missed() {
        return verdict == null ? List.of() : verdict.missed();
    }

    /**
     * How a step went, judged by its own trial alone and by the rule of load curves.
     *
     * @param why the reason why it was not sustained; empty if it was
     * @param missed the limits that it did not hold, with what was found
     * @param recovery whether it is there to recover: no faster than a step before it
     * @param recoveredAfter seconds after its start from which three seconds in a row were calm; null when none were, or it
     *     is no recovery
     */
    public record StepVerdict(
            StepState state,
            String why,
            List<String> missed,
            boolean recovery,
            @Nullable Double recoveredAfter) {
        public StepVerdict {
            missed = List.copyOf(missed);
        }

        public String text() {
            String word = state.word();
            if (!recovery) {
                return word;
            }
            if (recoveredAfter == null) {
                return word + ", not recovered";
            }
            return word
                    + (recoveredAfter == 0
                            ? ", recovered at once"
                            : ", recovered after " + NumberFormat.seconds(recoveredAfter));
        }

        public enum StepState {
            SUSTAINED,
            DEGRADED,
            BROKEN,
            /** Not sustained, and the generator was late enough to be the cause. */
            UNTESTED,
            /** Unknown, because the trial ended before its time. */
            UNFINISHED;

            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }
}
