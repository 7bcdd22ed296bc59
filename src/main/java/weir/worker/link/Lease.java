package weir.worker.link;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A limit on the silence of the other end of a link. A thread must call {@link #tick} about once a second. A paused
 * process receives nothing, so at most {@link #MOST} of the time between two calls counts as silence.
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

    public static Lease waiting(LongSupplier clock, Duration limit) {
        Lease lease = new Lease(clock, limit);
        lease.begun = false;
        return lease;
    }

    public synchronized void begin() {
        begun = true;
    }

    public synchronized void renew() {
        silentNanos = 0;
        tickedNanos = clock.getAsLong();
    }

    /** False if the other end has been silent for too long. */
    public synchronized boolean tick() {
        long now = clock.getAsLong();
        silentNanos += begun ? Math.min(MOST, now - tickedNanos) : 0;
        tickedNanos = now;
        return silentNanos < limitNanos;
    }
}
