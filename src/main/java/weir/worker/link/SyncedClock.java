package weir.worker.link;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a run in one process: the process's own steady clock plus an offset. Until the offset is known, it is
 * the own clock without an error. Before {@link #steady} is called, a new offset applies immediately, which may set
 * the clock back. Afterwards the clock approaches a new offset slowly, by at most one nanosecond in {@link #SLEW}, so
 * that time never runs backwards. The first offset always applies immediately, because the clock did not show the time
 * of the run before.
 */
public final class SyncedClock implements LongSupplier {
    /** The nanoseconds in which the clock approaches the offset by one: 500 ppm, faster than clocks drift apart. */
    private static final long SLEW = 2_000;

    private final LongSupplier own;
    /** Null while it is changed. */
    private volatile @Nullable ClockSegment course;

    private @Nullable ReceivedOffset told;
    private boolean steady;
    private long jumpNanos;

    private record ReceivedOffset(ClockOffset offset, long ownNanos) {}

    private record ClockSegment(long sinceNanos, long fromNanos, long toNanos, long errorNanos) {
        long offset(long ownNanos) {
            long gap = toNanos - fromNanos;
            if (gap == 0) {
                return toNanos;
            }
            long most = (ownNanos - sinceNanos) / SLEW;
            return gap > 0 ? fromNanos + Math.min(gap, most) : fromNanos - Math.min(-gap, most);
        }
    }

    public SyncedClock(LongSupplier own) {
        this.own = own;
        this.course = new ClockSegment(own.getAsLong(), 0, 0, 0);
    }

    @Override
    public long getAsLong() {
        // The order matters: a reader that gets an outdated course took the time before the course was replaced.
        long now = own.getAsLong();
        ClockSegment on = course;
        return on == null || now < on.sinceNanos ? settled() : now + on.offset(now);
    }

    private synchronized long settled() {
        long now = own.getAsLong();
        return now + course().offset(now);
    }

    private ClockSegment course() {
        ClockSegment on = course;
        if (on == null) {
            throw new IllegalStateException("the reading thread is changing the clock");
        }
        return on;
    }

    /** Sets the offset from the process's own time to the time of the run. */
    public synchronized void set(ClockOffset offset) {
        ReceivedOffset last = told;
        ClockSegment before = course();
        // From now on readers wait, because the old course might give them a later time than the start of the next.
        course = null;
        long now = own.getAsLong();
        boolean slewed = last != null && steady;
        course = new ClockSegment(
                now, slewed ? before.offset(now) : offset.nanos(), offset.nanos(), offset.errorNanos());
        if (last != null && slewed && !offset.agrees(last.offset.after(now - last.ownNanos))) {
            jumpNanos = Math.max(jumpNanos, Math.abs(offset.nanos() - last.offset.nanos()));
        }
        told = new ReceivedOffset(offset, now);
    }

    /** From now on the clock approaches a new offset slowly and does not jump. */
    public synchronized void steady() {
        steady = true;
    }

    /** The largest jump of the offset since the previous call, reduced by the possible error; 0 if there was none. */
    public synchronized long takeJumpNanos() {
        long last = jumpNanos;
        jumpNanos = 0;
        return last;
    }

    /** The largest distance from the run's clock: the last reported error plus the offset still to be slewed. */
    public synchronized long errorNanos() {
        ClockSegment on = course();
        return on.errorNanos + Math.abs(on.toNanos - on.offset(own.getAsLong()));
    }
}
