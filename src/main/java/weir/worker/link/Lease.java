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
    private boolean begun = true;

    public Lease(LongSupplier clock, Duration limit) {
        this.clock = clock;
        this.limitNanos = limit.toNanos();
        this.tickedNanos = clock.getAsLong();
    }

    /** One that lasts for ever until it {@link #begin begins}. */
    public static Lease waiting(LongSupplier clock, Duration limit) {
        Lease lease = new Lease(clock, limit);
        lease.begun = false;
        return lease;
    }

    /** From now on the other end may be silent for so long only. */
    public synchronized void begin() {
        begun = true;
    }

    /** The other end said something. */
    public synchronized void heard() {
        silentNanos = 0;
        tickedNanos = clock.getAsLong();
    }

    /** False when the other end has been silent for too long. */
    public synchronized boolean tick() {
        long now = clock.getAsLong();
        silentNanos += begun ? Math.min(MOST, now - tickedNanos) : 0;
        tickedNanos = now;
        return silentNanos < limitNanos;
    }
}
