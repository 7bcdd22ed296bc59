package weir.live.page;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The wishes for another report, and the turns in which they are met. Safe for many threads. */
final class RenderTurns {
    /** Milliseconds for which what was heard may wait: who measures wakes nobody. */
    private static final long TICK = 100;

    private final RenderPacing pacing = new RenderPacing();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final LongSupplier nanos;
    private boolean wanted;
    private boolean urgent;
    private boolean lost;

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
        long waits = lost ? pacing.waitsOutOfTurn(now) : pacing.waits(now, urgent);
        if (!wanted || waits > 0) {
            return false;
        }
        wanted = false;
        urgent = false;
        lost = false;
        return true;
    }

    /** A report was made. */
    synchronized void made(long atNanos, long tookNanos, long bytes) {
        pacing.made(atNanos, tookNanos, bytes);
    }

    /** Time was spent on handing out what was made. */
    synchronized void spent(long atNanos, long tookNanos) {
        pacing.spent(atNanos, tookNanos);
    }

    void close() {
        closed.countDown();
    }
}
