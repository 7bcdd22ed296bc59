package weir.feature.trend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.results.GateOutcome;
import weir.results.RunComparison.Difference;

/**
 * The trend of one experiment over many runs on one machine: a series for each figure, with the changes of its level.
 *
 * @param machine the facts that identify the machine
 * @param runs the runs, ordered by time
 * @param leftOut the excluded runs, one line for each reason
 * @param gate the result of the gate; null without {@code --gate}
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
     * The values of one figure over the runs.
     *
     * @param primary true for the primary metric of its variant
     * @param level geometric mean of the runs since the last change, after outliers are moved towards the median
     * @param visible smallest change that the next five runs would detect, as a ratio above 1; null with too few runs
     * @param missing number of further runs that are needed before a change can be detected
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

        /** Returns the levels of the series in the order of time; empty without points. */
        public List<Level> levels() {
            List<Level> levels = new ArrayList<>();
            List<Point> rest = points;
            @Nullable Change begun = null;
            for (Change change : changes) {
                int runs = (int)
                        rest.stream().filter(point -> point.at() < change.at()).count();
                levels.add(new Level(rest.subList(0, runs), change.from(), begun));
                rest = rest.subList(runs, rest.size());
                begun = change;
            }
            if (!rest.isEmpty()) {
                levels.add(new Level(rest, level, begun));
            }
            return levels;
        }
    }

    /** The runs of a series at one level; {@code change} is the change to this level, null for the first level. */
    public record Level(
            List<Point> runs, double figure, @Nullable Change change) {
        public Level {
            runs = List.copyOf(runs);
        }

        public Point first() {
            return runs.get(0);
        }

        public Point last() {
            return runs.get(runs.size() - 1);
        }
    }

    /** The values of the run with index {@code at}: geometric mean, minimum and maximum of the trials. */
    public record Point(int at, double figure, double low, double high) {}

    /**
     * A change of level.
     *
     * @param at first run at the new level, by its place in the list of runs
     * @param before last run at the old level
     * @param runs number of runs at the new level when it was found
     * @param ratio new level over the old one, with its interval {@code low} to {@code high}
     * @param undone true if the figure is back at its old level, or better
     * @param differences other changes between the runs {@code before} and {@code at}
     * @param nearbyAt a neighbouring run with other changes, if {@code at} changed only labels; otherwise {@code at}
     * @param nearby changes there
     * @param machine changed machine benchmarks, in words
     * @param shared true if the change of the machine is large enough to be the reason
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
     * The result of the gate. All changes up to the run {@code accepted} are accepted; empty if none are. The user
     * could accept {@code acceptable} to open the gate; empty if this would not open it.
     */
    public record Gate(String accepted, GateOutcome outcome, List<Reason> why, String acceptable) {
        public Gate {
            why = List.copyOf(why);
        }

        public List<String> sentences() {
            return why.stream().map(Reason::sentence).toList();
        }
    }

    /** A reason why the gate is not open. {@code series} is empty if the reason is about the runs. */
    public record Reason(String series, String text) {
        public String sentence() {
            return series.isEmpty() ? text : series + ": " + text;
        }
    }
}
