package weir.pace;

import java.time.Duration;

/** Where a schedule ends. */
public sealed interface Length {
    record For(Duration length) implements Length {}

    record Operations(long operations) implements Length {}

    /** Where its own steps, or its replayed rates, end. */
    record Own() implements Length {}
}
