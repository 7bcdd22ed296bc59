package weir.plan;

import java.time.Duration;

/** The length of the measured phase. */
public sealed interface MeasureSpec {
    record For(Duration length) implements MeasureSpec {}

    /**
     * A number of operations. The phase ends earlier after {@code idle} without a record. If {@code idle} is zero, it
     * ends earlier at the last existing record.
     */
    record Operations(long operations, Duration idle) implements MeasureSpec {
        public Operations(long operations) {
            this(operations, Duration.ZERO);
        }
    }

    record AsLongAsRates() implements MeasureSpec {}

    default Duration length() {
        return Duration.ZERO;
    }

    default long operations() {
        return 0;
    }

    default Duration idle() {
        return Duration.ZERO;
    }

    default boolean counted() {
        return this instanceof Operations;
    }

    default boolean asLongAsRates() {
        return this instanceof AsLongAsRates;
    }
}
