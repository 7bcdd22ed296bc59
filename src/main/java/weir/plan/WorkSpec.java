package weir.plan;

import java.time.Duration;

/**
 * The work of a reader on each record: a wait, or busy CPU time. All are zero without work.
 *
 * @param p99 the 99th percentile of log-normal waits; zero if all waits are equal
 */
public record WorkSpec(Duration mean, Duration p99, Duration cpu) {
    public static final WorkSpec NONE = of(Duration.ZERO);

    public static WorkSpec of(Duration each) {
        return new WorkSpec(each, Duration.ZERO, Duration.ZERO);
    }

    public boolean none() {
        return each().isZero();
    }

    /** The mean time for one record. */
    public Duration each() {
        return mean.plus(cpu);
    }
}
