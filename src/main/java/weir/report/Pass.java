package weir.report;

import java.util.List;
import weir.results.Caveat;
import weir.results.Event;
import weir.results.Reading;
import weir.results.Row;
import weir.results.TrialFolder;
import weir.results.TrialResult;

/** One trial with everything that was written about it. */
record Pass(
        TrialResult result,
        boolean finished,
        String folder,
        List<Row> rows,
        List<Event> events,
        List<Reading> readings,
        List<TrialFolder.Point> spectrum,
        List<Caveat> caveats) {
    static Pass of(TrialFolder folder) {
        return new Pass(
                folder.result(),
                folder.finished(),
                String.valueOf(folder.path().getFileName()),
                folder.windows(),
                folder.events(),
                folder.readings(),
                folder.spectrum(),
                folder.caveats());
    }

    /** The name in legends: "lz4 2" is the second trial of lz4. */
    String label() {
        return result.variant() + " " + result.repeat() + (finished ? "" : " (unfinished)");
    }
}
