package weir.plan;

import java.time.Duration;

/** How long the load is measured. */
public sealed interface MeasureSpec {
    record For(Duration length) implements MeasureSpec {}

    record Operations(long operations) implements MeasureSpec {}

    /** As long as the steps or the replayed rates last. */
    record AsLongAsRates() implements MeasureSpec {}

    /** How long it takes; zero where nobody can tell. */
    default Duration expected() {
        return this instanceof For f ? f.length() : Duration.ZERO;
    }
}
