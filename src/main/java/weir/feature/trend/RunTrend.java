package weir.feature.trend;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.results.GateOutcome;
import weir.results.RunComparison.Difference;

/**
 * One experiment over many runs on one machine: its figures as series, the changes of their levels, and what else changed
 * there.
 *
 * @param machine the facts that make it this machine
 * @param runs in the order of their time
 * @param leftOut the runs that are not in the series, and why, one line for each reason
 * @param doubts what to know before the changes are believed
 * @param gate null when nothing was asked of it
 * @param exit what the process says at its end
 */
public record RunTrend(
        int version,
        String name,
        SortedMap<String, String> machine,
        List<Run> runs,
        List<Series> series,
        List<String> leftOut,
        List<String> doubts,
        @Nullable Gate gate,
        int exit) {
    public static final int VERSION = 1;

    public RunTrend {
        machine = Collections.unmodifiableSortedMap(new TreeMap<>(machine));
        runs = List.copyOf(runs);
        series = List.copyOf(series);
        leftOut = List.copyOf(leftOut);
        doubts = List.copyOf(doubts);
    }

    public record Run(
            String run, String startedAt, String state, String weir, String kafka, SortedMap<String, String> labels) {
        public Run {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /**
     * A figure over the runs.
     *
     * @param primary whether it is the figure that its variant is judged by first
     * @param level the geometric mean of the runs since the last change, outliers pulled in
     * @param visible the smallest change, as a ratio above 1, that would be found within five runs; null while too few are
     *     known
     * @param missing how many runs there have to be before anything can be said; 0 when there are enough
     */
    public record Series(
            String variant,
            String metric,
            boolean primary,
            boolean moreIsBetter,
            List<Point> points,
            double level,
            List<Change> changes,
            @Nullable Double visible,
            int missing) {
        public Series {
            points = List.copyOf(points);
            changes = List.copyOf(changes);
        }

        public String name() {
            return variant + ", " + metric;
        }
    }

    /**
     * The figure of a run, by its index in the list of runs: the geometric mean of its trials, the least and the
     * largest.
     */
    public record Point(int at, double figure, double low, double high) {}

    /**
     * A change of level.
     *
     * @param at the first run at the new level, by its place in the list of runs
     * @param before the last run at the old level
     * @param runs how many runs at the new level it took to find it
     * @param from the old level, as that of a series
     * @param ratio the new level over the old one, {@code low} and {@code high} its interval
     * @param undone whether the figure is back where it was, or better
     * @param differences what else is not the same in the runs {@code before} and {@code at}
     * @param nearbyAt a run beside it at which more than labels changed, where only those did at {@code at}; else the same
     * @param nearby what changed there
     * @param machine the machine benchmarks that changed with it, in words
     * @param shared whether the machine changed so much that it may be the reason
     */
    public record Change(
            int at,
            int before,
            int runs,
            double from,
            double to,
            double ratio,
            double low,
            double high,
            String verdict,
            boolean undone,
            List<Difference> differences,
            int nearbyAt,
            List<Difference> nearby,
            List<String> machine,
            boolean shared) {
        public Change {
            differences = List.copyOf(differences);
            nearby = List.copyOf(nearby);
            machine = List.copyOf(machine);
        }
    }

    /**
     * The answer to whether anything got worse.
     *
     * @param accepted the run up to which all changes are accepted; empty for none
     * @param acceptable the run that would have to be accepted to open it; empty where that would not
     */
    public record Gate(String accepted, GateOutcome outcome, List<Reason> why, String acceptable) {
        public Gate {
            why = List.copyOf(why);
        }

        public List<String> sentences() {
            return why.stream().map(Reason::sentence).toList();
        }
    }

    /**
     * A reason why a gate is not open.
     *
     * @param series the {@link Series#name} of the series it is about; empty where it is about the runs
     */
    public record Reason(String series, String text) {
        public String sentence() {
            return series.isEmpty() ? text : series + ": " + text;
        }
    }
}
