package weir.worker.link;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a run in one process: the process's own steady clock plus an offset. The offset is 0 at first. A new
 * offset applies immediately, and may set the clock back. After {@link #steady} is called, only the first offset
 * applies immediately. The clock then approaches a new offset slowly, so that time never runs backwards.
 */
public final class SyncedClock implements LongSupplier {
    /** The nanoseconds in which the clock approaches the offset by one: 500 ppm, faster than clocks drift apart. */
    private static final long SLEW = 2_000;

    private final LongSupplier own;
    /** Null during a change. */
    private volatile @Nullable ClockSegment course;

    private @Nullable ReceivedOffset received;
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
        // The order matters: a reader with an outdated course took the time before the course was replaced.
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

    public synchronized void set(ClockOffset offset) {
        ReceivedOffset last = received;
        ClockSegment before = course();
        // Readers wait from now on, because the old course might give a later time than the start of the next.
        course = null;
        long now = own.getAsLong();
        boolean slewed = last != null && steady;
        course = new ClockSegment(
                now, slewed ? before.offset(now) : offset.nanos(), offset.nanos(), offset.errorNanos());
        if (last != null && slewed && !offset.agrees(last.offset.after(now - last.ownNanos))) {
            jumpNanos = Math.max(jumpNanos, Math.abs(offset.nanos() - last.offset.nanos()));
        }
        received = new ReceivedOffset(offset, now);
    }

    /** From now on, the clock approaches a new offset slowly, without a jump. */
    public synchronized void steady() {
        steady = true;
    }

    /** The largest jump of the offset since the previous call, minus the possible error; 0 without a jump. */
    public synchronized long takeJumpNanos() {
        long last = jumpNanos;
        jumpNanos = 0;
        return last;
    }

    /** The largest distance from the run's clock: the last reported error plus the remaining offset. */
    public synchronized long errorNanos() {
        ClockSegment on = course();
        return on.errorNanos + Math.abs(on.toNanos - on.offset(own.getAsLong()));
    }
}
