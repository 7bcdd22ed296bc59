package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import weir.pace.Schedule;

/** One phase of a load, which its senders or readers share. */
public final class PhaseShare {
    private final Plan plan;
    private final AtomicLong left;
    private final AtomicLong together;
    private final List<PhaseSchedule> shares = new ArrayList<>();

    /**
     * The load of the phase.
     *
     * @param step its first step, of {@link weir.measure.Steps}
     * @param whole the schedule of the whole load, or {@link Schedule#CLOSED}
     * @param atOnce the limit of operations in flight of each owner in a closed loop
     * @param endNanos {@link Schedule#NEVER} if the number of operations decides
     */
    public record Plan(
            int step,
            Schedule whole,
            int atOnce,
            long operations,
            long startNanos,
            long endNanos,
            int worker,
            int workers) {}

    public PhaseShare(Plan plan) {
        this.plan = plan;
        this.left = new AtomicLong(share(plan.operations, plan.worker, plan.workers));
        this.together = new AtomicLong(left.get());
    }

    public Plan plan() {
        return plan;
    }

    public PhaseSchedule fixedShare(int index, int of) {
        return fixedShare(index, of, new AtomicLong(share(plan.operations, index, of)));
    }

    /** A share of a number of operations that grows if other owners are slower or have less to do. */
    public PhaseSchedule flexibleShare(int index, int of) {
        return fixedShare(index, of, left);
    }

    /** A share like {@link #flexibleShare}, for owners that notice when others have done all operations. */
    public PhaseSchedule watchedShare(int index, int of) {
        return fixedShare(index, of, together);
    }

    private synchronized PhaseSchedule fixedShare(int index, int of, AtomicLong operations) {
        boolean closed = plan.whole == Schedule.CLOSED;
        Schedule share = closed ? Schedule.CLOSED : plan.whole.share(index, of);
        boolean counted = closed || (operations == left && plan.operations != Schedule.NEVER);
        PhaseSchedule phase = new PhaseSchedule(share, plan.startNanos, plan.atOnce, operations, counted);
        phase.cut(plan.endNanos);
        shares.add(phase);
        return phase;
    }

    public synchronized void cut(long nanos) {
        shares.forEach(phase -> phase.cut(nanos));
    }

    /** Returns true if all operations are done, even if a reader without messages has not noticed. */
    public synchronized boolean over() {
        return shares.stream().allMatch(PhaseSchedule::over)
                || (left.get() <= 0 && shares.stream().noneMatch(phase -> phase.awaited));
    }

    /** Returns the end of the last share, or {@code now} if a share may still run. */
    public synchronized long lastNanos(long now) {
        boolean all = shares.stream().allMatch(PhaseSchedule::over);
        return all ? shares.stream().mapToLong(phase -> phase.endNanos).max().orElse(now) : now;
    }

    private static long share(long all, int index, int of) {
        if (all == Schedule.NEVER) {
            return all;
        }
        // Whole parts with an exact sum.
        return all / of + (index < all % of ? 1 : 0);
    }
}
