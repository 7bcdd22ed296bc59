package weir.run;

import java.time.Duration;
import weir.plan.BacklogSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.time.TimeLimit;

/** The time after which the workers of a trial cannot be at work any more, unless something is stuck. */
final class LongestTrial {
    /** A phase ends with the last answer to what was due in it, which may be late. */
    private static final int LATE = 2;

    /** For what has no limit of its own: sending files, assigning partitions, fetching a ledger. */
    private static final Duration BESIDE = Duration.ofMinutes(30);

    private LongestTrial() {}

    /**
     * The longest that the workers of a trial may live.
     *
     * @param verify the limit of reading back
     * @return {@link TimeLimit#NEVER} where operations are counted, or a file has the rates: nobody knows how long that takes
     */
    static Duration of(Variant variant, Duration verify) {
        boolean filled = !(variant.load().backlog() instanceof BacklogSpec.None);
        if (filled
                || variant.warmup() instanceof WarmupSpec.Operations
                || variant.measure() instanceof MeasureSpec.Operations
                || variant.load().rate() instanceof RateSpec.Replay) {
            return TimeLimit.NEVER;
        }
        return variant.warmup()
                .expected()
                .plus(measured(variant))
                .multipliedBy(LATE)
                .plus(variant.drain())
                .plus(verify)
                .plus(BESIDE);
    }

    private static Duration measured(Variant variant) {
        if (variant.measure() instanceof MeasureSpec.AsLongAsRates
                && variant.load().rate() instanceof RateSpec.Steps steps) {
            return steps.steps().stream()
                    .map(step -> step.length().plus(steps.rest()))
                    .reduce(Duration.ZERO, Duration::plus);
        }
        return variant.measure().expected();
    }
}
