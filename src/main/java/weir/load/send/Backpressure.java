package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The delay of one sender because of the engine's calls. If the sender's previous calls had returned immediately, the
 * sender would send earlier by this delay. The generator causes the rest of the sender's lateness.
 *
 * <p>While the sender is behind its schedule, each call adds its duration to the delay. While the sender waits for a
 * due time, the delay shrinks by the waiting time. The formula follows Lindley's recursion for a queue with one server.
 *
 * <p>Only the sender's thread changes this object. Any thread may call the public methods.
 */
public final class Backpressure {
    private final AtomicLong behindNanos = new AtomicLong();
    private final AtomicLong ownNanos = new AtomicLong();
    private long lostNanos;
    private long freeNanos = Long.MIN_VALUE;

    private long begunNanos = Long.MIN_VALUE;

    /** Records a call. {@code own} is the part, in nanoseconds, that the engine did not cause. */
    void call(long startNanos, long endNanos, long own) {
        lostNanos += endNanos - startNanos - own;
        freeNanos = endNanos;
    }

    /** Returns the nanoseconds by which calls delay the next operation, which was due at {@code dueNanos}. */
    long of(long dueNanos) {
        return dueNanos >= freeNanos ? 0 : Math.min(lostNanos, freeNanos - dueNanos);
    }

    /** Returns the delay of an operation that begins now. Due times must not decrease. */
    long begin(long dueNanos, long nowNanos) {
        lostNanos = of(dueNanos);
        if (dueNanos < freeNanos) {
            behindNanos.lazySet(behindNanos.get() + nowNanos - Math.max(dueNanos, begunNanos));
            ownNanos.lazySet(ownNanos.get() + nowNanos - freeNanos);
        }
        begunNanos = nowNanos;
        return lostNanos;
    }

    /** Returns the total time in which an operation was due before the previous operation had begun. */
    public long behindNanos() {
        return behindNanos.get();
    }

    /** Returns the part of {@link #behindNanos} between calls, which a faster generator would not need. */
    public long ownNanos() {
        return ownNanos.get();
    }
}
