package weir.time;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** The end of the time that something may take. */
public final class TimeLimit {
    /** The limit of a process that may take for ever. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    private final LongSupplier clock;
    private final Duration limit;
    private final long startNanos;

    /** One that begins now, by this clock. */
    public TimeLimit(LongSupplier clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        this.startNanos = clock.getAsLong();
    }

    public Duration limit() {
        return limit;
    }

    /** True once the time is up. */
    public boolean passed() {
        return left().isZero();
    }

    /** The rest of the time, never below zero. */
    public Duration left() {
        Duration left = limit.minusNanos(clock.getAsLong() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
