package weir.run;

import java.time.Duration;
import weir.plan.Variant;
import weir.plan.trial.Demand;
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
        boolean filled = !variant.load().backlog().none();
        if (filled
                || variant.warmup().counted()
                || variant.measure().counted()
                || (variant.load().rate().timed()
                        && variant.load().rate().steps().isEmpty())) {
            return TimeLimit.NEVER;
        }
        return variant.warmup()
                .length()
                .plus(Demand.length(variant))
                .multipliedBy(LATE)
                .plus(variant.drain())
                .plus(verify)
                .plus(BESIDE);
    }
}
