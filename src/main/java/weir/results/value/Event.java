package weir.results.value;

import java.util.ArrayList;
import java.util.List;

/**
 * An event, {@code second} seconds after the start of the trial's first window. A {@link #PHASE} lasts until the next
 * phase. A {@link #STEP} lasts until the next step, phase or pause between steps. An event with any other name is a
 * mark on the time axis.
 */
public record Event(double second, String name, String text) {
    public static final String PHASE = "phase";
    public static final String STEP = "step";
    public static final String REST = "rest";
    /** The wait for messages in flight, in the pause between two steps. */
    public static final String FLUSH = "flush";

    public static final String COLLECT = "collect";

    /** The start of a disturbance, in this or another variant: its name and action. */
    public static final String DISTURBANCE = "disturbance";

    /** The suffix of a disturbance of another variant. Reports show the figures of the same seconds in this variant. */
    public static final String ELSEWHERE = ": not in this variant";

    public static final String DISTURBANCE_OVER = "disturbance over";

    public static final String DISTURBANCE_UNDONE = "disturbance undone";

    public static final String FAILED = "failed";

    public static final String DIED = " died";

    /** The suffix of the name of a dead server that is not a broker. Only brokers make promises. */
    public static final String ENDED = " ended";

    /** The suffix of a balancer's name in events where the balancer removes or adds a server. */
    public static final String SERVERS = " servers";

    public static final String LOST = " lost";

    public static final String UNSEEN = " unseen";

    public static final String LEFT = "left";

    /**
     * The time of a disturbance from the events of a trial, in seconds since the trial's first window began.
     *
     * @param to the end; infinite if the disturbance never ended
     * @param here false for a disturbance of another variant, whose time is marked in this variant
     */
    public record DisturbedTime(String name, String what, double from, double to, boolean here) {
        public static List<DisturbedTime> of(List<Event> events) {
            List<DisturbedTime> found = new ArrayList<>();
            for (Event event : events) {
                int colon = event.text().indexOf(": ");
                if (event.name().equals(Event.DISTURBANCE) && colon > 0) {
                    String name = event.text().substring(0, colon);
                    double to = events.stream()
                            .filter(other -> other.name().equals(Event.DISTURBANCE_OVER)
                                    && other.text().equals(name))
                            .mapToDouble(Event::second)
                            .findFirst()
                            .orElse(Double.POSITIVE_INFINITY);
                    boolean here = !event.text().endsWith(Event.ELSEWHERE);
                    found.add(new DisturbedTime(name, event.text().substring(colon + 2), event.second(), to, here));
                }
            }
            return found;
        }
    }
}
