package weir.plan;

import java.time.Duration;

/** The load before the measured phase. */
public sealed interface WarmupSpec {
    record None() implements WarmupSpec {}

    record For(Duration length) implements WarmupSpec {}

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

    default boolean counted() {
        return this instanceof Operations;
    }

    default boolean untilSteady() {
        return this instanceof UntilSteady;
    }

    default Duration length() {
        return Duration.ZERO;
    }

    default long operations() {
        return 0;
    }

    default RateSpec rate(RateSpec ofLoad) {
        return ofLoad;
    }
}
