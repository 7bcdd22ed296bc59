package weir.feature.live;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The schedule of reports about a live run. On average, reports take at most 1 % of a core and 30 kB per second. The
 * first reports may take more, so that a new run is visible immediately. Any thread may call the methods.
 */
final class RenderTurns {
    /** The limit of the delay of news in milliseconds, because measuring threads wake no other thread. */
    private static final long TICK = 100;

    private static final long SHARE = 100;
    private static final double BYTES_PER_SECOND = 30_000;
    private static final double SECOND = 1e9;

    static final Duration AHEAD = Duration.ofSeconds(5);

    private static final double BYTES_AHEAD = 1e6;

    static final Duration CALM = Duration.ofSeconds(5);

    /** The shortest interval before a report with news, such as the end of a trial. */
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

    synchronized void want(boolean soon) {
        wanted = true;
        urgent |= soon;
    }

    /** Requests a report ahead of the schedule, because a browser missed seconds. */
    synchronized void wantLost() {
        wanted = true;
        lost = true;
    }

    boolean await() throws InterruptedException {
        return !closed.await(TICK, TimeUnit.MILLISECONDS);
    }

    /** True if a report is due. The caller must then make the report. */
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

    synchronized long waitsOutOfTurn(long nowNanos) {
        return Math.min(waits(nowNanos, true), made ? Math.max(0, madeAt + LOST.toNanos() - nowNanos) : 0);
    }

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
