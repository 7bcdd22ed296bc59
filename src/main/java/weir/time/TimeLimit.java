package weir.time;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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

    /** Waits for a condition, which it checks at these intervals; false at the limit. */
    public boolean awaits(BooleanSupplier condition, Duration interval) {
        while (!condition.getAsBoolean()) {
            if (passed()) {
                return false;
            }
            LockSupport.parkNanos(interval.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for at most " + limit.toSeconds() + " s");
            }
        }
        return true;
    }

    /** Returns the remaining time, at least zero. */
    public Duration left() {
        Duration left = limit.minusNanos(clock.getAsLong() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
