package weir.live.page;

import java.time.Duration;

/**
 * When a report may be made again: so seldom that making it takes a fiftieth of a core, and sending it no more than the
 * given bytes a second. The clock is its caller's.
 */
final class RenderPacing {
    private static final long SHARE = 50;
    private static final double BYTES_PER_SECOND = 30_000;
    private static final long NANOS = 1_000_000_000L;
    /** Between two that show no more than another few seconds. */
    static final Duration CALM = Duration.ofSeconds(5);

    /** Between two where something has happened: a trial is over, a rate was tried. */
    static final Duration URGENT = Duration.ofSeconds(1);

    private long madeAt;
    private long costNanos;
    private boolean made;

    /** One was made. */
    void made(long nowNanos, long tookNanos, long bytes) {
        made = true;
        madeAt = nowNanos;
        costNanos = Math.max(tookNanos * SHARE, (long) (bytes / BYTES_PER_SECOND * NANOS));
    }

    /** Nanoseconds from now until the next may be made; 0 when it may be at once. */
    long waits(long nowNanos, boolean urgent) {
        long apart = Math.max((urgent ? URGENT : CALM).toNanos(), costNanos);
        return made ? Math.max(0, madeAt + apart - nowNanos) : 0;
    }
}
