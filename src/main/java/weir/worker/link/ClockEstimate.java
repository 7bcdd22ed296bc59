package weir.worker.link;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/**
 * The offset of a clock elsewhere, by the best of the last exchanges with it. As long as clocks drift apart no faster than is
 * assumed, it is wrong by no more than its error, however unlike the two ways of an exchange are. One thread owns it.
 */
public final class ClockEstimate {
    /** The exchanges that are remembered, more than a minute at one a second: an older one would hardly be the best. */
    private static final int KEPT = 64;

    private final Deque<ClockExchange> last = new ArrayDeque<>();

    /**
     * Takes in the newest exchange. False when it cannot be true together with those before: one of the clocks has jumped.
     * Then those are forgotten.
     */
    public boolean add(ClockExchange exchange) {
        if (exchange.roundTripNanos() < 0) {
            // A clock jumped while it was on its way: it tells nothing, and those before are over.
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

    /** False as long as there is nothing to tell. */
    public boolean known() {
        return !last.isEmpty();
    }

    /** The offset at a time here: by the exchange that bounds it most closely yet. */
    public ClockOffset at(long nanos) {
        return last.stream()
                .map(exchange -> exchange.offset().after(nanos - exchange.askedNanos()))
                .min(Comparator.comparingLong(ClockOffset::errorNanos))
                .orElseThrow(() -> new IllegalStateException("there was no exchange with that clock yet"));
    }
}
