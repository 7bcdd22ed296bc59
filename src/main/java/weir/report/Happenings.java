package weir.report;

import java.util.List;
import weir.results.Event;
import weir.results.Written;

/** The phases, steps and events of all trials, as a table. */
final class Happenings {
    /** A client that loses its broker tells so thousands of times. */
    private static final int MOST = 600;

    private Happenings() {}

    static Html html(Story story) {
        Table table = new Table(2, "trial", "what", "at, s", "");
        int left = MOST;
        for (Pass pass : story.passes()) {
            List<Event> shown =
                    pass.events().subList(0, Math.min(left, pass.events().size()));
            left -= shown.size();
            for (Event event : shown) {
                table.cells(List.of(
                        new Table.Cell(pass.label(), ""),
                        new Table.Cell(event.name(), ""),
                        new Table.Cell(Written.number(event.second()), ""),
                        new Table.Cell(
                                event.name().equals(Event.STEP) ? Written.step(event.text()) : event.text(), "text")));
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
