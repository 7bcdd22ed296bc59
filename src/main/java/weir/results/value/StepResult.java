package weir.results.value;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.plan.RecordKeys;

/**
 * One step of a pace.
 *
 * @param rate null for a closed loop, which also has no {@code verdict}
 * @param step number of the step in the windows; 2 for the first measured step
 * @param drainedAfter seconds from the end of the step until its last message was acked and, with readers, received; null
 *     if a message is missing, or if the time is unknown
 * @param queueGrowth messages per second by which the queue of due and unacked messages grows; null if the rate is not
 *     constant, or if the growth is unknown
 * @param achievedPerSecond messages of the step per second that were acked and, with readers, received before the end
 *     of the step; null without senders, or in runs of earlier builds
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

    public double to() {
        return from + seconds;
    }

    public boolean paced() {
        return rate != null && rate > 0;
    }

    public boolean sustained() {
        return verdict != null && verdict.state() == StepVerdict.StepState.SUSTAINED;
    }

    public List<String> missed() {
        return verdict == null ? List.of() : verdict.missed();
    }

    /**
     * The judgement of a step by its trial and by the rule of load curves.
     *
     * @param why the reason why the step was not sustained; empty if it was
     * @param missed the limits that the step did not keep, with the measured values
     * @param recovery whether the step is not faster than an earlier step
     * @param recoveredAfter seconds from the start of the step to three consecutive calm seconds; null without them, or
     *     if the step is no recovery
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
            /** Unknown, because the trial ended early. */
            UNFINISHED;

            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }
}
