package weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import weir.measure.PhaseTimes;
import weir.pace.StepWindow;

/**
 * The work that is done while nothing is due between two steps: what is on its way arrives, then the generator collects
 * its garbage, so that neither colours the next step. Rests of less than two seconds are left alone: a collection needs
 * a second to itself before anything is due again. One thread asks.
 */
final class StepPauses {
    private static final long FLUSH_NANOS = 5 * LoadContext.SECOND;
    /** As long after the last message was read it counts as the last. */
    private static final long QUIET_NANOS = LoadContext.SECOND / 10;

    private final List<Rest> ahead = new ArrayList<>();
    private final List<PhaseTimes.Rest> over = new ArrayList<>();
    private final Load load;
    private final Runnable collect;
    private long passed = -1;
    private long quietSince;

    /** The number of messages still on their way, and how much was read so far. */
    interface Load {
        long inFlight();

        long passed();
    }

    private record Rest(long startNanos, long endNanos) {
        long flushedBy() {
            return Math.min(startNanos + FLUSH_NANOS, endNanos - LoadContext.SECOND);
        }
    }

    StepPauses(List<StepWindow> steps, long startNanos, Load load, Runnable collect) {
        this.load = load;
        this.collect = collect;
        for (int i = 1; i < steps.size(); i++) {
            long start = startNanos + steps.get(i - 1).endNanos();
            long end = startNanos + steps.get(i).startNanos();
            if (end - start >= 2 * LoadContext.SECOND) {
                ahead.add(new Rest(start, end));
            }
        }
    }

    /** Does what is to be done at this moment; {@code clock} says how long it took. */
    void tend(LongSupplier clock) {
        long now = clock.getAsLong();
        if (ahead.isEmpty() || now < ahead.get(0).startNanos()) {
            return;
        }
        Rest rest = ahead.get(0);
        long inFlight = load.inFlight();
        if (load.passed() != passed) {
            passed = load.passed();
            quietSince = now;
        }
        boolean flushed = inFlight == 0 && now - quietSince >= QUIET_NANOS;
        if (!flushed && now < rest.flushedBy()) {
            return;
        }
        ahead.remove(0);
        collect.run();
        over.add(new PhaseTimes.Rest(rest.startNanos(), now, inFlight, clock.getAsLong()));
    }

    List<PhaseTimes.Rest> over() {
        return over;
    }
}
