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
    /** In a rest: it was waited for what was on its way. */
    public static final String FLUSH = "flush";
    /** In a rest: the generator collected its garbage. */
    public static final String COLLECT = "collect";

    /** The begin of a disturbance, here or in another variant: its name, and what is done. */
    public static final String DISTURBANCE = "disturbance";

    /** The end of the text of a disturbance of other variants, whose seconds are those of this one, too. */
    public static final String ELSEWHERE = ": not in this variant";

    /** The end of a disturbance, by its name. */
    public static final String DISTURBANCE_OVER = "disturbance over";

    /** A broker or server runs again after a disturbance: its name, and what was done. */
    public static final String DISTURBANCE_UNDONE = "disturbance undone";

    /** Why a trial came to no end. */
    public static final String FAILED = "failed";

    /** The end of the name of a broker's death, behind the broker. */
    public static final String DIED = " died";

    /** The end of the name of the death of a server before the brokers, behind the server; brokers keep promises, these not. */
    public static final String ENDED = " ended";

    /** The end of the name of what a balancer says when it takes a server out or back, behind the balancer. */
    public static final String SERVERS = " servers";

    /** The end of the name of the loss of a machine or pod, behind its name. */
    public static final String LOST = " lost";

    /** The end of the name of what happens when a broker's metrics cannot be read any more, behind the broker. */
    public static final String UNSEEN = " unseen";

    /** Something of the trial is left on the cluster. */
    public static final String LEFT = "left";

    /**
     * The time of a disturbance as the events of a trial tell of it, in seconds since the trial's first window began.
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
