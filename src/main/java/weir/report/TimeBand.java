package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.NumberFormat;

/** A named stretch of a trial: a phase, a step of the measured one, or a disturbance. */
record TimeBand(double from, double to, String name, String look) {
    static final String MEASURE = "measure";
    /** The look of a disturbance, whose name stands at the mark of its begin. */
    private static final String DISTURBED = "disturbed";

    /** More of them are a wall and no marks. */
    private static final int MARKS = 60;

    public static List<TimeBand> of(TrialView trial, TrialClock clock) {
        List<Event> events = trial.events().stream()
                .filter(event -> isStretch(event))
                .sorted(Comparator.comparingDouble(Event::second))
                .toList();
        boolean steps = events.stream().anyMatch(event -> event.name().equals(Event.STEP));
        List<TimeBand> bands = new ArrayList<>();
        @Nullable Event open = null;
        for (Event event : events) {
            close(bands, open, event.second(), steps);
            open = event;
        }
        double end = (double) clock.first() + clock.seconds();
        close(bands, open, end, steps);
        for (DisturbanceResult one : trial.result().disturbances()) {
            Double over = one.to();
            bands.add(new TimeBand(one.from(), over == null ? end : over, one.name(), DISTURBED));
        }
        return bands.stream()
                .filter(band -> band.to() > clock.first())
                .map(band -> new TimeBand(Math.max(clock.first(), band.from()), band.to(), band.name(), band.look()))
                .toList();
    }

    private static boolean isStretch(Event event) {
        return event.name().equals(Event.PHASE)
                || event.name().equals(Event.STEP)
                || event.name().equals(Event.REST);
    }

    // The measured phase itself is drawn only where it has no steps to draw.
    private static void close(List<TimeBand> bands, @Nullable Event open, double end, boolean steps) {
        if (open == null || end <= open.second()) {
            return;
        }
        boolean step = open.name().equals(Event.STEP);
        if (step) {
            long before = bands.stream()
                    .filter(band -> band.look().startsWith("step"))
                    .count();
            bands.add(new TimeBand(
                    open.second(), end, NumberFormat.step(open.text()), before % 2 == 0 ? "step" : "step even"));
        } else if (!open.text().equals(MEASURE) || !steps) {
            bands.add(new TimeBand(open.second(), end, open.text(), open.text().equals(MEASURE) ? "step" : "phase"));
        }
    }

    /** The events of a single moment, except those that every rest is there for; of a disturbance its begin, by its name. */
    public static List<Event> marks(TrialView trial) {
        return trial.events().stream()
                .filter(event -> !isStretch(event)
                        && !event.name().equals(Event.FLUSH)
                        && !event.name().equals(Event.COLLECT)
                        && !event.name().equals(Event.DISTURBANCE_OVER))
                .map(event -> event.name().equals(Event.DISTURBANCE)
                        ? new Event(event.second(), event.text().split(":", 2)[0], event.text())
                        : event)
                .limit(MARKS)
                .toList();
    }
}
