package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import weir.pace.Schedule;

/** The due times of one phase for one sender or reader, which owns this object. Any thread may call {@link #cut}. */
public final class PhaseSchedule {
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /** The time after a phase in which an operation that was due just before the end may still leave. */
    private static final long GRACE_NANOS = 10_000_000;

    /** The time after the last phase in which a sender may catch up with missed operations. */
    static final long CATCH_UP_NANOS = 2_000_000_000;

    private static final long[] NOTHING = {};

    private final Schedule schedule;
    final long startNanos;
    final int atOnce;
    private final AtomicLong left;
    private long[] putBack = NOTHING;
    private int again;
    private volatile long cutNanos = Schedule.NEVER;
    private long behindNanos = Schedule.NEVER;

    private final boolean counted;
    private long lastDueNanos;
    /** The time of {@link #end}; 0 before. */
    long endNanos;

    private volatile boolean over;
    /** True while the owner waits for the due time of an operation that it has claimed. */
    volatile boolean awaited;

    /**
     * @param counted true for a schedule that shares its operations with others. After its last due time, it goes on
     *     until {@code left} is zero, for operations that the owners of other schedules cannot do
     */
    public PhaseSchedule(Schedule schedule, long startNanos, int atOnce, AtomicLong left, boolean counted) {
        this.schedule = schedule;
        this.startNanos = startNanos;
        this.atOnce = atOnce;
        this.left = left;
        this.counted = counted;
    }

    /**
     * Creates the schedule of a closed loop. An operation is due when fewer than {@code atOnce} are in flight and
     * {@code left} is not zero. Several schedules can share {@code left}.
     */
    public static PhaseSchedule closed(long startNanos, AtomicLong left, int atOnce) {
        return new PhaseSchedule(Schedule.CLOSED, startNanos, atOnce, left, true);
    }

    public static PhaseSchedule none() {
        PhaseSchedule none = closed(0, new AtomicLong(), 1);
        none.end(0);
        return none;
    }

    /** Returns true for a closed loop. Then {@link #next} only returns the start of the phase. */
    public boolean closed() {
        return schedule == Schedule.CLOSED;
    }

    public long next() {
        if (again < putBack.length) {
            return putBack[again++];
        }
        awaited = counted;
        if (counted && claim(1) == 0) {
            awaited = false;
            return Schedule.NEVER;
        }
        if (closed()) {
            return startNanos;
        }
        long next = schedule.next();
        if (next == Schedule.NEVER && !counted) {
            return Schedule.NEVER;
        }
        lastDueNanos = next == Schedule.NEVER ? lastDueNanos : next;
        return startNanos + lastDueNanos;
    }

    /** Ends the wait for the last operation; returns true if the operation is due before the end of the schedule. */
    public boolean due(long dueNanos, long nowNanos) {
        boolean due = nowNanos >= dueNanos && dueNanos < cutNanos;
        awaited = false;
        return due;
    }

    boolean spent() {
        return closed() && left.get() <= 0;
    }

    public int claim(int operations) {
        long before = left.getAndAdd(-operations);
        return (int) Math.max(0, Math.min(before, operations));
    }

    void putBack(long... dueNanos) {
        putBack = dueNanos;
        again = 0;
    }

    /** Ends the schedule at this time. Earlier operations still leave unless the sender {@link #givesUp}. */
    public void cut(long nanos) {
        if (nanos < cutNanos) {
            cutNanos = nanos;
        }
    }

    public long cutNanos() {
        return cutNanos;
    }

    boolean past(long nowNanos) {
        return nowNanos - GRACE_NANOS >= cutNanos;
    }

    /**
     * Returns true if an operation is given up: the engine blocked it until the phase was {@link #past}, or the sender
     * was late itself. {@code time} is false if another phase begins or the drain is over.
     */
    boolean givesUp(long plannedNanos, long backpressureNanos, long nowNanos, boolean time) {
        if (behindNanos == Schedule.NEVER) {
            behindNanos = nowNanos;
        }
        return past(plannedNanos + backpressureNanos) || !time || nowNanos - behindNanos >= CATCH_UP_NANOS;
    }

    public void end(long nanos) {
        endNanos = nanos;
        over = true;
    }

    public boolean over() {
        return over;
    }
}
