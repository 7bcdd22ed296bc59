package weir.feature.maintenance;

import java.util.List;
import weir.measure.Reading;
import weir.run.disturbance.TrialNotes;

/** The milliseconds, the name and the text of each mark of a trial, for operations that note no readings. */
record MarkNotes(long begin, List<String> marks) implements TrialNotes {
    @Override
    public void mark(long nanos, String name, String text) {
        marks.add((nanos - begin) / 1_000_000 + " " + name + " " + text);
    }

    @Override
    public void reading(String source, String metric, double value) {
        throw new AssertionError("unexpected reading " + metric + " of " + source);
    }

    @Override
    public void reading(Reading reading) {
        throw new AssertionError("unexpected " + reading);
    }
}
