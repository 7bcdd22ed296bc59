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

    /** How long it takes; zero where nobody can tell. */
    default Duration expected() {
        return this instanceof For f ? f.length() : Duration.ZERO;
    }
}
