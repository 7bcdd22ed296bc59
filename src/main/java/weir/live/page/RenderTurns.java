package weir.live.page;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The wishes for another report, and the turns in which they are met. What is made may take a hundredth of a core, and its parts
 * so many bytes a second, on the long run: a few may be made ahead, so that a run that begins is seen at once. Safe for many
 * threads; methods with a time have the clock of their caller.
 */
final class RenderTurns {
    /** Milliseconds for which what was heard may wait: who measures wakes nobody. */
    private static final long TICK = 100;

    private static final long SHARE = 100;
    private static final double BYTES_PER_SECOND = 30_000;
    private static final double SECOND = 1e9;

    /** The time of making that may be spent ahead. */
    static final Duration AHEAD = Duration.ofSeconds(5);

    private static final double BYTES_AHEAD = 1e6;

    /** Between two that show no more than another few seconds. */
    static final Duration CALM = Duration.ofSeconds(5);

    /** Between two where something has happened: a trial is over, a rate was tried. */
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

    /** Asks for a report; {@code soon} when something has happened in it. */
    synchronized void want(boolean soon) {
        wanted = true;
        urgent |= soon;
    }

    /** Asks for one out of turn: seconds are missing to somebody. */
    synchronized void wantLost() {
        wanted = true;
        lost = true;
    }

    /** Returns after a moment; false when there are no turns any more. */
    boolean await() throws InterruptedException {
        return !closed.await(TICK, TimeUnit.MILLISECONDS);
    }

    /** True when a report is wanted and its time has come: then it is to be made. */
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

    /** The same for one that somebody needs to whom seconds are missing otherwise. */
    synchronized long waitsOutOfTurn(long nowNanos) {
        return Math.min(waits(nowNanos, true), made ? Math.max(0, madeAt + LOST.toNanos() - nowNanos) : 0);
    }

    /** Nanoseconds from now until the next may be made; 0 when it may be at once. */
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
