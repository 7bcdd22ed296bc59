package weir.judge;

import java.util.List;
import java.util.SortedMap;
import weir.measure.Numbers;
import weir.results.PlannedTrial;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;

/**
 * Everything that the folder of a trial holds to judge it by, read once.
 *
 * @param end of a trial that was killed what its windows tell of it
 * @param numbers of each step
 * @param readings without those of single requests
 */
public record TrialFiles(
        TrialFolder folder,
        TrialConditions conditions,
        TrialEnd end,
        List<WindowRow> windows,
        TrialSeries series,
        SortedMap<Integer, Numbers> numbers,
        ProbeSeries readings) {
    public static TrialFiles of(TrialFolder folder) {
        TrialEnd end = folder.end();
        List<WindowRow> windows = folder.windows();
        TrialSeries series = new TrialSeries();
        windows.forEach(series::add);
        folder.counts((second, step, counts) -> series.add(step, second, counts));
        return new TrialFiles(
                folder,
                folder.conditions(),
                end == null ? CutTrial.end(folder) : end,
                windows,
                series,
                folder.numbers(),
                ProbeSeries.of(folder, (source, metric) -> !metric.startsWith("request.")));
    }

    public PlannedTrial plan() {
        return folder.started().plan();
    }

    /** The numbers of one step, or none. */
    public Numbers of(int step) {
        return numbers.getOrDefault(step, new Numbers());
    }

    /** The numbers of all steps from this one on. */
    public Numbers from(int step) {
        return numbers.tailMap(step).values().stream().reduce(new Numbers(), Numbers::plus);
    }
}
