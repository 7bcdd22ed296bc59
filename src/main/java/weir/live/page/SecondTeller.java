package weir.live.page;

import java.util.ArrayDeque;
import java.util.List;
import weir.live.EventStream;
import weir.measure.ProbeMetric;
import weir.plan.trial.Trial;
import weir.report.TimeChart;
import weir.report.TrialView;
import weir.results.ProbeReading;
import weir.results.WindowRow;

/**
 * The seconds of a run and its place in the plan, told to those who look. Seconds that nobody looks at are not made: whoever
 * comes after them reads the report anew, and so does everybody when some were dropped.
 */
final class SecondTeller {
    private static final double OPEN_SECONDS = 10;
    /** Readings of windows that are not over: those of some seconds of a large cluster. */
    private static final int MOST_READINGS = 50_000;

    private final SecondQueue queue;
    private final EventStream events;
    private final RunPlace place;
    private final RenderTurns turns;
    private final ArrayDeque<ProbeReading> readings = new ArrayDeque<>();
    private volatile List<ProbeMetric> drawn = List.of();
    private long told;

    SecondTeller(SecondQueue queue, EventStream events, RunPlace place, RenderTurns turns) {
        this.queue = queue;
        this.events = events;
        this.place = place;
        this.turns = turns;
    }

    /** The metrics of probes that are drawn. */
    void draws(List<ProbeMetric> metrics) {
        drawn = metrics;
    }

    List<ProbeMetric> drawn() {
        return drawn;
    }

    /**
     * Tells what was heard since it was called last.
     *
     * @param watched true when somebody looks
     */
    synchronized void tell(boolean watched) {
        if (queue.dropped()) {
            readings.clear();
            queue.take();
            events.reset();
            turns.wantLost();
        }
        for (SecondQueue.Heard heard : queue.take()) {
            if (heard instanceof SecondQueue.Heard.Window window
                    && !window.trial().profiled()) {
                second(window.trial(), window.row(), watched);
                turns.want(false);
            } else if (heard instanceof SecondQueue.Heard.Reading reading
                    && !reading.trial().profiled()) {
                read(reading.reading());
            } else if (heard instanceof SecondQueue.Heard.Begun) {
                readings.clear();
            }
        }
        long changes = place.changes();
        if (changes != told) {
            told = changes;
            events.publish("state", place.json());
        }
    }

    private void read(ProbeReading reading) {
        readings.addLast(reading);
        if (readings.size() > MOST_READINGS) {
            readings.removeFirst();
        }
    }

    private void second(Trial trial, WindowRow row, boolean watched) {
        if (watched) {
            List<ProbeReading> own = readings.stream()
                    .filter(reading -> (int) reading.second() == (int) row.second())
                    .toList();
            String label = TrialView.label(trial.variant().name(), trial.repeat(), false);
            events.publish("second", TimeChart.second(trial.number(), label, row, own, drawn));
        } else {
            events.reset();
        }
        readings.removeIf(reading -> reading.second() < row.second() - OPEN_SECONDS);
    }
}
