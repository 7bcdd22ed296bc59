package weir.http;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that a server holds at once. When all places are taken, the connection that has waited longest for a
 * request closes, first among those that never had one. Safe for many threads.
 */
public final class Places {
    private final int most;
    private final Set<Place> taken = new LinkedHashSet<>();

    /** A connection. Other threads ask it, so that its answers may be slightly outdated. */
    public interface Place {
        boolean busy();

        boolean served();

        long sinceNanos();

        /** Closes the connection unless it is busy by now. */
        void giveUp();
    }

    public Places(int most) {
        this.most = most;
    }

    /** Takes a place; false when all others are busy. */
    public synchronized boolean take(Place place) {
        if (taken.size() >= most) {
            Optional<Place> waiting = taken.stream()
                    .filter(one -> !one.busy())
                    .min(Comparator.comparing(Place::served).thenComparing(Place::sinceNanos));
            if (waiting.isEmpty()) {
                return false;
            }
            taken.remove(waiting.get());
            waiting.get().giveUp();
        }
        return taken.add(place);
    }

    public synchronized void leave(Place place) {
        taken.remove(place);
    }
}
