package weir.worker;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** The end of the time that a process may take, counted from its start. */
public final class Deadline {
    /** The limit of a process that may take for ever. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    private final LongSupplier clock;
    private final Duration limit;
    private final long startNanos;

    /** One that begins now, by this clock. */
    public Deadline(LongSupplier clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        this.startNanos = clock.getAsLong();
    }

    public Duration limit() {
        return limit;
    }

    /** True once the time is up. */
    public boolean passed() {
        return Duration.ofNanos(clock.getAsLong() - startNanos).compareTo(limit) >= 0;
    }
}
