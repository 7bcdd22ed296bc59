package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import weir.pace.Schedule;

/**
 * The due times of one phase for one sender or reader. The thread that carries them owns it, except that any thread may
 * cut it short.
 */
public final class PhaseSchedule {
    /** So many in flight as the engine takes. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /** An operation due just before the end of a phase is not given up for the time it takes to wake up. */
    private static final long GRACE_NANOS = 10_000_000;

    /** How long a sender makes up, once it looks, for what it missed itself before the end of its last phase. */
    static final long CATCH_UP_NANOS = 2_000_000_000;

    private static final long[] NOTHING = {};

    private final Schedule schedule;
    private final long startNanos;
    final int atOnce;
    private final AtomicLong left;
    private long[] putBack = NOTHING;
    private int again;
    private volatile long cutNanos = Schedule.NEVER;
    private long behindNanos = Schedule.NEVER;

    private long endNanos;
    private volatile boolean over;

    private PhaseSchedule(Schedule schedule, long startNanos, int atOnce, AtomicLong left) {
        this.schedule = schedule;
        this.startNanos = startNanos;
        this.atOnce = atOnce;
        this.left = left;
    }

    public static PhaseSchedule open(Schedule schedule, long startNanos) {
        return new PhaseSchedule(schedule, startNanos, NO_LIMIT, new AtomicLong());
    }

    /** Operations, each due when fewer than {@code atOnce} are in flight, while there are any {@code left}: others may share it. */
    public static PhaseSchedule closed(long startNanos, AtomicLong left, int atOnce) {
        return new PhaseSchedule(Schedule.CLOSED, startNanos, atOnce, left);
    }

    public static PhaseSchedule none() {
        PhaseSchedule none = closed(0, new AtomicLong(), 1);
        none.end(0);
        return none;
    }

    /** True when operations are due when there is room, so that {@link #next} only says when the phase starts. */
    public boolean closed() {
        return schedule == Schedule.CLOSED;
    }

    public long startNanos() {
        return startNanos;
    }

    public long next() {
        if (again < putBack.length) {
            return putBack[again++];
        }
        if (closed()) {
            return claim(1) > 0 ? startNanos : Schedule.NEVER;
        }
        long next = schedule.next();
        return next == Schedule.NEVER ? Schedule.NEVER : startNanos + next;
    }

    boolean spent() {
        return closed() && left.get() <= 0;
    }

    /** Takes up to so many operations of a closed loop at once, and tells how many there were. */
    public int claim(int operations) {
        long before = left.getAndAdd(-operations);
        return (int) Math.max(0, Math.min(before, operations));
    }

    void putBack(long... dueNanos) {
        putBack = dueNanos;
        again = 0;
    }

    /** Nothing is due from then on. What was due before is still carried out unless it {@link #givesUp}. */
    public void cut(long nanos) {
        if (nanos < cutNanos) {
            cutNanos = nanos;
        }
    }

    public long cutNanos() {
        return cutNanos;
    }

    /** True when the phase has been over for longer than a sender needs to wake up. */
    boolean past(long nowNanos) {
        return nowNanos - GRACE_NANOS >= cutNanos;
    }

    /**
     * Returns true when what should have been sent then is not sent any more, as the phase is {@link #past}. The system
     * may have kept it back beyond the end: then it is. What only its sender missed is made up for, unless there is no
     * {@code time}: another phase begins, or the drain is over.
     */
    boolean givesUp(long plannedNanos, long backpressureNanos, long nowNanos, boolean time) {
        if (behindNanos == Schedule.NEVER) {
            behindNanos = nowNanos;
        }
        return past(plannedNanos + backpressureNanos) || !time || nowNanos - behindNanos >= CATCH_UP_NANOS;
    }

    /** Its owner has done all of it, or gives up the rest. */
    public void end(long nanos) {
        endNanos = nanos;
        over = true;
    }

    long endNanos() {
        return endNanos;
    }

    public boolean over() {
        return over;
    }
}
