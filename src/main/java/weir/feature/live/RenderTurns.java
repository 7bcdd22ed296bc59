package weir.feature.live;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Requests for another report, and the turns that serve them. In the long run, making reports takes a hundredth of a
 * core, and their parts a limited number of bytes a second. A few may be made ahead, so that a run that begins is
 * visible at once. Safe for many threads; methods with a time have the clock of their caller.
 */
final class RenderTurns {
    /** Milliseconds that news may wait, because measuring threads wake no other thread. */
    private static final long TICK = 100;

    private static final long SHARE = 100;
    private static final double BYTES_PER_SECOND = 30_000;
    private static final double SECOND = 1e9;

    static final Duration AHEAD = Duration.ofSeconds(5);

    private static final double BYTES_AHEAD = 1e6;

    /** Interval between reports that only show a few more seconds. */
    static final Duration CALM = Duration.ofSeconds(5);

    /** Interval between reports after news: a trial is over, a rate was tried. */
    static final Duration URGENT = Duration.ofSeconds(1);

    static final Duration LOST = Duration.ofSeconds(10);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final LongSupplier nanos;
    private boolean wanted;
    private boolean urgent;
    private boolean lost;

    private boolean made;
    private long madeAt;
    private long countedAt;
    private double nanosAhead = AHEAD.toNanos();
    private double bytesAhead = BYTES_AHEAD;

    RenderTurns(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Requests a report; {@code soon} means that something has happened in it. */
    synchronized void want(boolean soon) {
        wanted = true;
        urgent |= soon;
    }

    /** Requests a report out of turn, because a reader lacks seconds. */
    synchronized void wantLost() {
        wanted = true;
        lost = true;
    }

    /** Waits a moment; false if there are no turns any more. */
    boolean await() throws InterruptedException {
        return !closed.await(TICK, TimeUnit.MILLISECONDS);
    }

    /** True if a report is due; the caller must then make it. */
    synchronized boolean take() {
        long now = nanos.getAsLong();
        long waits = lost ? waitsOutOfTurn(now) : waits(now, urgent);
        if (!wanted || waits > 0) {
            return false;
        }
        wanted = false;
        urgent = false;
        lost = false;
        return true;
    }

    void close() {
        closed.countDown();
    }

    synchronized void spent(long nowNanos, long tookNanos) {
        if (made) {
            made(nowNanos, tookNanos, 0, madeAt);
        }
    }

    synchronized void made(long nowNanos, long tookNanos, long bytes) {
        made(nowNanos, tookNanos, bytes, nowNanos);
    }

    private void made(long nowNanos, long tookNanos, long bytes, long lastMade) {
        nanosAhead = nanosAhead(nowNanos) - tookNanos;
        bytesAhead = bytesAhead(nowNanos) - bytes;
        made = true;
        madeAt = lastMade;
        countedAt = nowNanos;
    }

    /** Returns nanoseconds until a report out of turn may be made, for a reader that lacks seconds. */
    synchronized long waitsOutOfTurn(long nowNanos) {
        return Math.min(waits(nowNanos, true), made ? Math.max(0, madeAt + LOST.toNanos() - nowNanos) : 0);
    }

    /** Returns nanoseconds until the next report may be made; 0 if it may be made at once. */
    synchronized long waits(long nowNanos, boolean urgent) {
        if (!made) {
            return 0;
        }
        double apart = madeAt + (urgent ? URGENT : CALM).toNanos() - nowNanos;
        double time = -nanosAhead(nowNanos) * SHARE;
        double network = -bytesAhead(nowNanos) / BYTES_PER_SECOND * SECOND;
        return (long) Math.max(0, Math.max(apart, Math.max(time, network)));
    }

    private double nanosAhead(long nowNanos) {
        return Math.min((double) AHEAD.toNanos(), nanosAhead + since(nowNanos) / SHARE);
    }

    private double bytesAhead(long nowNanos) {
        return Math.min(BYTES_AHEAD, bytesAhead + since(nowNanos) / SECOND * BYTES_PER_SECOND);
    }

    private double since(long nowNanos) {
        return made ? nowNanos - countedAt : 0;
    }
}
