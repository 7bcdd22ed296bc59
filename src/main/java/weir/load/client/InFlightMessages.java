package weir.load.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.load.engine.AckedEnds;
import weir.load.send.Outcomes;

/** The flights of one sender: its thread takes them, one other thread brings most of them back. */
final class InFlightMessages {
    private static final int MOST = 1 << 17;

    private final Outcomes outcomes;
    private final AckedEnds ends;
    private final LongSupplier clock;
    private final Thread owner = Thread.currentThread();
    private final AtomicReferenceArray<@Nullable InFlightMessage> landed = new AtomicReferenceArray<>(MOST);
    private int back;
    private int next;
    private @Nullable InFlightMessage refused;
    private volatile @Nullable Exception unfit;

    InFlightMessages(Outcomes outcomes, AckedEnds ends, LongSupplier clock) {
        this.outcomes = outcomes;
        this.ends = ends;
        this.clock = clock;
    }

    InFlightMessage take() {
        InFlightMessage again = refused;
        if (again != null) {
            refused = null;
            return again;
        }
        InFlightMessage flight = landed.getAcquire(next);
        if (flight == null) {
            return new InFlightMessage(this, outcomes, ends, clock);
        }
        landed.setRelease(next, null);
        next = (next + 1) & (MOST - 1);
        return flight;
    }

    /** Ends the sender at its next message: all others would be refused for the same reason. */
    void unfit(Exception why) {
        unfit = why;
    }

    void check() {
        Exception why = unfit;
        if (why != null) {
            throw ClientRefusals.unfit(why);
        }
    }

    void landed(InFlightMessage flight) {
        if (Thread.currentThread() == owner) {
            refused = flight;
        } else if (landed.getAcquire(back) == null) {
            landed.setRelease(back, flight);
            back = (back + 1) & (MOST - 1);
        }
    }
}
