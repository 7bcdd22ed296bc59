package weir.plan;

import java.time.Duration;

/** How long the load runs before it is measured. */
public sealed interface WarmupSpec {
    record None() implements WarmupSpec {}

    record For(Duration length) implements WarmupSpec {}

    /** At a rate of its own. */
    record ForAt(Duration length, RateSpec rate) implements WarmupSpec {
        @Override
        public RateSpec rate(RateSpec ofLoad) {
            return rate;
        }
    }

    record Operations(long operations) implements WarmupSpec {}

    record UntilSteady(Duration max) implements WarmupSpec {
        @Override
        public Duration length() {
            return max;
        }
    }

    default boolean none() {
        return this instanceof None;
    }

    /** True when the operations decide, and not the time. */
    default boolean counted() {
        return this instanceof Operations;
    }

    default boolean untilSteady() {
        return this instanceof UntilSteady;
    }

    /** The longest that it takes; zero where the operations decide. */
    default Duration length() {
        return Duration.ZERO;
    }

    /** Zero where the time decides. */
    default long operations() {
        return 0;
    }

    /** The rate of the warm-up: its own, or that of the load. */
    default RateSpec rate(RateSpec ofLoad) {
        return ofLoad;
    }
}
