package weir.results.value;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that happened {@code second} seconds after the trial's first window began. A {@link #PHASE} lasts until the
 * next phase, a {@link #STEP} until the next step, rest or phase; any other name is a mark on the time axis.
 */
public record Event(double second, String name, String text) {
    public static final String PHASE = "phase";
    public static final String STEP = "step";
    public static final String REST = "rest";
    /** In a rest: the generator waited for messages in flight. */
    public static final String FLUSH = "flush";

    public static final String COLLECT = "collect";

    /** The begin of a disturbance, here or in another variant: its name and action. */
    public static final String DISTURBANCE = "disturbance";

    /** Suffix of a disturbance of other variants, whose seconds are reported here, too. */
    public static final String ELSEWHERE = ": not in this variant";

    public static final String DISTURBANCE_OVER = "disturbance over";

    public static final String DISTURBANCE_UNDONE = "disturbance undone";

    public static final String FAILED = "failed";

    public static final String DIED = " died";

    /** Suffix behind the name of a dead server in front of the brokers; unlike brokers, it makes no promises. */
    public static final String ENDED = " ended";

    /** Suffix behind the name of a balancer that takes a server out or back. */
    public static final String SERVERS = " servers";

    public static final String LOST = " lost";

    public static final String UNSEEN = " unseen";

    public static final String LEFT = "left";

    /**
     * The time of a disturbance by the events of a trial, in seconds since the trial's first window began.
     *
     * @param to infinite where it never was over
     * @param here false where it is one of other variants, whose seconds are marked in this one, too
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
