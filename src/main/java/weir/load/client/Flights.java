package weir.load.client;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import weir.load.Outcomes;

/** The flights of one sender: its thread takes them, one other thread brings most of them back. */
final class Flights {
    private static final int MOST = 1 << 17;

    private final Outcomes outcomes;
    private final AckedEnds ends;
    private final Thread owner = Thread.currentThread();
    private final AtomicReferenceArray<@Nullable Flight> landed = new AtomicReferenceArray<>(MOST);
    private int back;
    private int next;
    private @Nullable Flight refused;

    Flights(Outcomes outcomes, AckedEnds ends) {
        this.outcomes = outcomes;
        this.ends = ends;
    }

    Flight take() {
        Flight again = refused;
        if (again != null) {
            refused = null;
            return again;
        }
        Flight flight = landed.getAcquire(next);
        if (flight == null) {
            return new Flight(this, outcomes, ends);
        }
        landed.setRelease(next, null);
        next = (next + 1) & (MOST - 1);
        return flight;
    }

    void landed(Flight flight) {
        if (Thread.currentThread() == owner) {
            refused = flight;
        } else if (landed.getAcquire(back) == null) {
            landed.setRelease(back, flight);
            back = (back + 1) & (MOST - 1);
        }
    }
}
