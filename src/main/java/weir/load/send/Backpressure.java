package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How far the engine's calls have kept one sender back: so much later it is than the same sender would be, had no call ever
 * taken time. What of a delay they do not explain is late, our own doing.
 *
 * <p>Calls and our own work between them alternate. Without calls the sender would do the same work earlier, but nothing before
 * it is due: so what calls have cost adds up while the sender is behind, and is made good as soon as something is due later
 * than that (Lindley's recursion for a queue with one server, told for the difference of two of them).
 *
 * <p>Owned by the sender's thread, in the order of time; anybody may ask for the sums of what it did while it was behind.
 */
final class Backpressure {
    private final AtomicLong behindNanos = new AtomicLong();
    private final AtomicLong ownNanos = new AtomicLong();
    private long lostNanos;
    private long freeNanos = Long.MIN_VALUE;

    private long begunNanos = Long.MIN_VALUE;

    /** A call, of which {@code own} nanoseconds were not the engine's doing. */
    void call(long startNanos, long endNanos, long own) {
        lostNanos += endNanos - startNanos - own;
        freeNanos = endNanos;
    }

    /** Nanoseconds that calls explain of the delay of an operation that was due then, and is the next to begin. */
    long of(long dueNanos) {
        return dueNanos >= freeNanos ? 0 : Math.min(lostNanos, freeNanos - dueNanos);
    }

    /** The same, for an operation that begins now; due times never go back. */
    long begin(long dueNanos, long nowNanos) {
        lostNanos = of(dueNanos);
        if (dueNanos < freeNanos) {
            behindNanos.lazySet(behindNanos.get() + nowNanos - Math.max(dueNanos, begunNanos));
            ownNanos.lazySet(ownNanos.get() + nowNanos - freeNanos);
        }
        begunNanos = nowNanos;
        return lostNanos;
    }

    /** Nanoseconds in which the next operation was due, and the one before had not begun. */
    long behindNanos() {
        return behindNanos.get();
    }

    /** The part of them between calls: a faster generator would not have taken it. */
    long ownNanos() {
        return ownNanos.get();
    }
}
