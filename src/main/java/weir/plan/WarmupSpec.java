package weir.plan;

import java.time.Duration;

/** How long the load runs before it is measured. */
public sealed interface WarmupSpec {
    record None() implements WarmupSpec {}

    record For(Duration length) implements WarmupSpec {}

    /** At a rate of its own. */
    record ForAt(Duration length, RateSpec rate) implements WarmupSpec {}

    record Operations(long operations) implements WarmupSpec {}

    record UntilSteady(Duration max) implements WarmupSpec {}

    /** How long it takes at the most; zero where nobody can tell. */
    default Duration expected() {
        if (this instanceof For f) {
            return f.length();
        }
        if (this instanceof ForAt f) {
            return f.length();
        }
        return this instanceof UntilSteady steady ? steady.max() : Duration.ZERO;
    }
}
