package weir.report;

import java.util.List;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.Event;
import weir.results.value.NumberFormat;

/** The phases, steps and events of all trials, as a table. */
final class EventSection {
    /** A client that loses its broker tells so thousands of times. */
    private static final int MOST = 600;

    private EventSection() {}

    static Html html(RunView run) {
        Table table = new Table(2, "trial", "what", "at, s", "");
        int left = MOST;
        for (TrialView trial : run.trials()) {
            List<Event> shown =
                    trial.events().subList(0, Math.min(left, trial.events().size()));
            left -= shown.size();
            for (Event event : shown) {
                table.cells(List.of(
                        new Table.Cell(trial.label(), ""),
                        new Table.Cell(event.name(), ""),
                        new Table.Cell(NumberFormat.number(event.second()), ""),
                        new Table.Cell(
                                event.name().equals(Event.STEP) ? NumberFormat.step(event.text()) : event.text(),
                                "text")));
            }
        }
        if (table.empty()) {
            return new Html();
        }
        String caption = "Phases, steps and events" + (left > 0 ? "" : ", the first " + MOST + "; events.csv has all");
        return new Html()
                .open("details", "class", "more")
                .element("summary", caption)
                .add(table.html("t-events", caption))
                .close();
    }
}
