package weir.http;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that a server holds at once. When all places are taken, the connection that has waited longest for a
 * request closes, first among those that never had one. Safe for many threads.
 */
final class Places {
    private final int most;
    private final Set<ConnectionGuard> taken = new LinkedHashSet<>();

    Places(int most) {
        this.most = most;
    }

    /** Takes a place; false when all others are busy. */
    synchronized boolean take(ConnectionGuard place) {
        if (taken.size() >= most) {
            Optional<ConnectionGuard> waiting = taken.stream()
                    .filter(one -> !one.busy())
                    .min(Comparator.comparing(ConnectionGuard::served).thenComparing(ConnectionGuard::sinceNanos));
            if (waiting.isEmpty()) {
                return false;
            }
            taken.remove(waiting.get());
            waiting.get().giveUp();
        }
        return taken.add(place);
    }

    synchronized void leave(ConnectionGuard place) {
        taken.remove(place);
    }
}
