package weir.worker.link;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time that the other end may be silent. Somebody has to {@link #tick} about once a second: a longer pause between two
 * ticks is our own, in which nothing could be heard, and counts as no more than {@link #MOST}.
 */
public final class Lease {
    private static final long MOST = 2_000_000_000;

    private final LongSupplier clock;
    private final long limitNanos;
    private long tickedNanos;
    private long silentNanos;

    public Lease(LongSupplier clock, Duration limit) {
        this.clock = clock;
        this.limitNanos = limit.toNanos();
        this.tickedNanos = clock.getAsLong();
    }

    /** The other end said something. */
    public synchronized void heard() {
        silentNanos = 0;
        tickedNanos = clock.getAsLong();
    }

    /** False when the other end has been silent for too long. */
    public synchronized boolean tick() {
        long now = clock.getAsLong();
        silentNanos += Math.min(MOST, now - tickedNanos);
        tickedNanos = now;
        return silentNanos < limitNanos;
    }
}
