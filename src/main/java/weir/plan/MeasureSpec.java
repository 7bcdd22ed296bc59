package weir.plan;

import java.time.Duration;

/** How long the load is measured. */
public sealed interface MeasureSpec {
    record For(Duration length) implements MeasureSpec {}

    /** Also over when a reader has had nothing to read for so long; with no time, at the end of what was there. */
    record Operations(long operations, Duration idle) implements MeasureSpec {
        public Operations(long operations) {
            this(operations, Duration.ZERO);
        }
    }

    /** As long as the steps or the replayed rates last. */
    record AsLongAsRates() implements MeasureSpec {}

    /** Zero where the operations or the rate decide. */
    default Duration length() {
        return Duration.ZERO;
    }

    /** Zero where the time decides. */
    default long operations() {
        return 0;
    }

    default Duration idle() {
        return Duration.ZERO;
    }

    /** True when the operations decide, and not the time. */
    default boolean counted() {
        return this instanceof Operations;
    }

    default boolean asLongAsRates() {
        return this instanceof AsLongAsRates;
    }
}
