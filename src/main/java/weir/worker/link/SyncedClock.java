package weir.worker.link;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a run, as a process sees it: its own steady clock and an offset that it is told. A clock that nobody tells
 * anything is its own, without an error.
 *
 * <p>Before {@link #steady} an offset holds at once, which may set the clock back. From then on it is only approached, by
 * {@link #SLEW} at most, so that time goes on and nearly as fast as everywhere: it never runs backwards. Only the very first
 * offset holds at once whenever it comes, since what the clock said before was no time of the run.
 */
public final class SyncedClock implements LongSupplier {
    /** A nanosecond of offset takes so many to be approached: 500 ppm, faster than clocks drift apart. */
    private static final long SLEW = 2_000;

    private final LongSupplier own;
    /** Null for the moment in which it is changed. */
    private volatile @Nullable Course course;

    private @Nullable Told told;
    private boolean steady;
    private long jumpNanos;

    /** The offset that was told last, and when by our own clock. */
    private record Told(ClockOffset offset, long ownNanos) {}

    /** The way from one offset to another, which begins at a time of our own. */
    private record Course(long sinceNanos, long fromNanos, long toNanos, long errorNanos) {
        long offset(long ownNanos) {
            long gap = toNanos - fromNanos;
            if (gap == 0) {
                return toNanos;
            }
            long most = (ownNanos - sinceNanos) / SLEW;
            return gap > 0 ? fromNanos + Math.min(gap, most) : fromNanos - Math.min(-gap, most);
        }
    }

    /** {@code own} is the steady clock of this process. */
    public SyncedClock(LongSupplier own) {
        this.own = own;
        this.course = new Course(own.getAsLong(), 0, 0, 0);
    }

    @Override
    public long getAsLong() {
        // In this order: whoever sees a course that is over took the time before it was.
        long now = own.getAsLong();
        Course on = course;
        return on == null || now < on.sinceNanos ? settled() : now + on.offset(now);
    }

    private synchronized long settled() {
        long now = own.getAsLong();
        return now + course().offset(now);
    }

    private Course course() {
        Course on = course;
        if (on == null) {
            throw new IllegalStateException("the clock is being changed by the thread that asks it");
        }
        return on;
    }

    /** The time of the run is our own plus this offset. */
    public synchronized void set(ClockOffset offset) {
        Told last = told;
        Course before = course();
        // From now on others wait: what they would be told might be later than what the next course begins with.
        course = null;
        long now = own.getAsLong();
        boolean slewed = last != null && steady;
        course = new Course(now, slewed ? before.offset(now) : offset.nanos(), offset.nanos(), offset.errorNanos());
        if (last != null && slewed && !offset.agrees(last.offset.after(now - last.ownNanos))) {
            jumpNanos = Math.max(jumpNanos, Math.abs(offset.nanos() - last.offset.nanos()));
        }
        told = new Told(offset, now);
    }

    /** From now on the clock is slewed, and never set. */
    public synchronized void steady() {
        steady = true;
    }

    /** The furthest that a steady clock was told to go, beyond all error, since this was asked last; 0 when it was not. */
    public synchronized long takeJumpNanos() {
        long last = jumpNanos;
        jumpNanos = 0;
        return last;
    }

    /** How far the clock may be from that of the run: the error that was told last, and what is left to be slewed. */
    public synchronized long errorNanos() {
        Course on = course();
        return on.errorNanos + Math.abs(on.toNanos - on.offset(own.getAsLong()));
    }
}
