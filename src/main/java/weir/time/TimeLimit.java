package weir.time;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** A time limit with its remaining time. */
public final class TimeLimit {
    /** The value for no limit. */
    public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

    private final LongSupplier clock;
    private final Duration limit;
    private final long startNanos;

    public TimeLimit(LongSupplier clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        this.startNanos = clock.getAsLong();
    }

    public Duration limit() {
        return limit;
    }

    public boolean passed() {
        return left().isZero();
    }

    /** Returns the remaining time, at least zero. */
    public Duration left() {
        Duration left = limit.minusNanos(clock.getAsLong() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
