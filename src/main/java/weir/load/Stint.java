package weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import weir.pace.Schedule;
import weir.plan.RateSpec;

/** One stage of a load as those see it who carry it: each is dealt a share of its operations. */
public final class Stint {
    /** The schedule of closed loops, which have none. */
    static final Schedule CLOSED = new Schedule() {
        @Override
        public long next() {
            return NEVER;
        }

        @Override
        public int step() {
            return 0;
        }

        @Override
        public Schedule share(int index, int of) {
            return this;
        }
    };

    private final int step;
    private final Plan plan;
    private final AtomicLong left;
    private final AtomicLong together;
    private final List<Pace> dealt = new ArrayList<>();

    /**
     * @param whole the schedule of the whole load, or {@link #CLOSED}
     * @param operations of the whole load in a closed loop
     * @param endNanos {@link Schedule#NEVER} when the operations decide
     */
    record Plan(
            RateSpec rate, Schedule whole, long operations, long startNanos, long endNanos, int worker, int workers) {}

    Stint(int step, Plan plan) {
        this.step = step;
        this.plan = plan;
        this.left = new AtomicLong(share(plan.operations, plan.worker, plan.workers));
        this.together = new AtomicLong(left.get());
    }

    /** The step it begins with, one of {@link weir.measure.Steps}. */
    public int step() {
        return step;
    }

    public long startNanos() {
        return plan.startNanos;
    }

    /** One of {@code of} shares. */
    public Pace deal(int index, int of) {
        if (plan.whole != CLOSED) {
            return dealt(Pace.open(plan.whole.share(index, of), plan.startNanos));
        }
        AtomicLong share = new AtomicLong(share(plan.operations, index, of));
        return dealt(Pace.closed(plan.startNanos, share, atOnce()));
    }

    /** A share like {@link #deal}, except that whoever is faster does more of a closed loop. */
    public Pace dealFreely(int index, int of) {
        return plan.whole == CLOSED ? dealt(Pace.closed(plan.startNanos, left, atOnce())) : deal(index, of);
    }

    /** A share like {@link #dealFreely}, for those who notice by themselves that others did it all. */
    public Pace dealTogether(int index, int of) {
        return plan.whole == CLOSED ? dealt(Pace.closed(plan.startNanos, together, atOnce())) : deal(index, of);
    }

    /** Nothing is due from then on. */
    synchronized void cut(long nanos) {
        dealt.forEach(pace -> pace.cut(nanos));
    }

    /** Whether all is done. A reader without anything to read does not notice that others did its share. */
    synchronized boolean over() {
        return dealt.stream().allMatch(Pace::over) || left.get() <= 0;
    }

    /** When the last of all was done; {@code now} if somebody may still be at it. */
    synchronized long lastNanos(long now) {
        boolean all = dealt.stream().allMatch(Pace::over);
        return all ? dealt.stream().mapToLong(Pace::endNanos).max().orElse(now) : now;
    }

    private int atOnce() {
        return plan.rate instanceof RateSpec.AtATime some ? some.operations() : Pace.NO_LIMIT;
    }

    private synchronized Pace dealt(Pace pace) {
        pace.cut(plan.endNanos);
        dealt.add(pace);
        return pace;
    }

    private static long share(long all, int index, int of) {
        if (all == Schedule.NEVER) {
            return all;
        }
        // Whole parts that add up exactly.
        return all / of + (index < all % of ? 1 : 0);
    }
}
