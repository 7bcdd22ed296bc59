package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import weir.pace.Schedule;

/** One phase of a load, of which each sender or reader is dealt a share. */
public final class PhaseShare {
    private final Plan plan;
    private final AtomicLong left;
    private final AtomicLong together;
    private final List<PhaseSchedule> dealt = new ArrayList<>();

    /**
     * The load that is shared out.
     *
     * @param step the first one, of {@link weir.measure.Steps}
     * @param whole the schedule of the whole load, or {@link Schedule#CLOSED}
     * @param atOnce operations that each may have in flight in a closed loop
     * @param operations of the whole load in a closed loop
     * @param endNanos {@link Schedule#NEVER} when the operations decide
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

    public PhaseSchedule deal(int index, int of) {
        return deal(index, of, new AtomicLong(share(plan.operations, index, of)));
    }

    /** Deals a share like {@link #deal}, but in a closed loop the faster ones do more. */
    public PhaseSchedule dealFreely(int index, int of) {
        return deal(index, of, left);
    }

    /** Deals a share like {@link #dealFreely}, to owners that notice when others have done all operations. */
    public PhaseSchedule dealTogether(int index, int of) {
        return deal(index, of, together);
    }

    private synchronized PhaseSchedule deal(int index, int of, AtomicLong operations) {
        PhaseSchedule phase = plan.whole == Schedule.CLOSED
                ? PhaseSchedule.closed(plan.startNanos, operations, plan.atOnce)
                : PhaseSchedule.open(plan.whole.share(index, of), plan.startNanos);
        phase.cut(plan.endNanos);
        dealt.add(phase);
        return phase;
    }

    public synchronized void cut(long nanos) {
        dealt.forEach(phase -> phase.cut(nanos));
    }

    /** Returns true when all is done, even if a reader without messages has not noticed that others did its share. */
    public synchronized boolean over() {
        return dealt.stream().allMatch(PhaseSchedule::over) || left.get() <= 0;
    }

    /** Returns when the last share ended, or {@code now} if one may still run. */
    public synchronized long lastNanos(long now) {
        boolean all = dealt.stream().allMatch(PhaseSchedule::over);
        return all ? dealt.stream().mapToLong(PhaseSchedule::endNanos).max().orElse(now) : now;
    }

    private static long share(long all, int index, int of) {
        if (all == Schedule.NEVER) {
            return all;
        }
        // Whole parts that add up exactly.
        return all / of + (index < all % of ? 1 : 0);
    }
}
