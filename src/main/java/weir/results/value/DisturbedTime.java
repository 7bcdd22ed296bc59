package weir.results.value;

import java.util.ArrayList;
import java.util.List;

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
