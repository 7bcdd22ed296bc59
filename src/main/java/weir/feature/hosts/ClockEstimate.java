package weir.feature.hosts;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import weir.worker.link.ClockOffset;

/**
 * The offset of a remote clock, by the best of the last exchanges with it. As long as clocks drift apart no faster
 * than assumed, its error bound holds, however unequal the two directions of an exchange are. One thread owns it.
 */
public final class ClockEstimate {
    private static final int KEPT = 64;

    private final Deque<ClockExchange> last = new ArrayDeque<>();

    /**
     * Adds the newest exchange; if it contradicts earlier ones, a clock has jumped: forgets those and returns false.
     */
    public boolean add(ClockExchange exchange) {
        if (exchange.roundTripNanos() < 0) {
            // A clock jumped during the exchange, so this one and the earlier ones are worthless.
            last.clear();
            return false;
        }
        boolean agrees = last.isEmpty() || exchange.offset().agrees(at(exchange.toldNanos()));
        if (!agrees) {
            last.clear();
        } else if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(exchange);
        return agrees;
    }

    public boolean known() {
        return !last.isEmpty();
    }

    public ClockOffset at(long nanos) {
        return last.stream()
                .map(exchange -> exchange.offset().after(nanos - exchange.askedNanos()))
                .min(Comparator.comparingLong(ClockOffset::errorNanos))
                .orElseThrow(() -> new IllegalStateException("there was no exchange with that clock yet"));
    }
}
