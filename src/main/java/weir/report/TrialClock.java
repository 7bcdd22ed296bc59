package weir.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import weir.measure.Reading;
import weir.results.WindowRow;

/** The seconds of a trial and the figures of each second. A missing figure is NaN. */
public final class TrialClock {
    /** The limit in seconds below which a window is too short for a rate. */
    private static final double SHORT = 0.25;
    /** Two weeks in seconds. In an edited folder, a second may be higher than that of any trial. */
    private static final double LONGEST = 14 * 24 * 3600;

    private final List<WindowRow> rows;
    private final int first;
    private final int seconds;
    private final Map<String, SortedMap<String, double[]>> readings = new HashMap<>();

    public TrialClock(TrialView trial) {
        this(trial.rows(), trial.readings());
    }

    public TrialClock(List<WindowRow> rows, List<Reading> taken) {
        this.rows = rows;
        // Before the first window there was no load.
        first = (int) rows.stream().mapToDouble(WindowRow::second).min().orElse(0);
        double last = Stream.concat(
                        rows.stream().map(WindowRow::second), taken.stream().map(Reading::second))
                .mapToDouble(second -> second)
                .max()
                .orElse(0);
        seconds = (int) Math.min(Math.max(0, last - first), LONGEST) + 1;
        for (Reading reading : taken) {
            if (TrialView.ofFeatures(reading.source(), reading.metric())) {
                continue; // These readings are many, and no chart draws them.
            }
            double[] values = readings.computeIfAbsent(reading.metric(), metric -> new TreeMap<>())
                    .computeIfAbsent(reading.source(), source -> empty());
            put(values, reading.second(), reading.value());
        }
    }

    public int first() {
        return first;
    }

    public int seconds() {
        return seconds;
    }

    double end() {
        return (double) first + seconds;
    }

    private double[] empty() {
        double[] values = new double[seconds];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    private void put(double[] values, double second, double value) {
        int at = (int) second - first;
        if (at >= 0 && at < values.length) {
            values[at] = Double.isNaN(values[at]) ? value : Math.max(values[at], value);
        }
    }

    public double[] windows(ToDoubleFunction<WindowRow> figure) {
        double[] values = empty();
        for (WindowRow row : rows) {
            put(values, row.second(), figure.applyAsDouble(row));
        }
        return values;
    }

    public double[] rates(ToDoubleFunction<WindowRow> count) {
        return windows(row -> row.seconds() < SHORT ? Double.NaN : count.applyAsDouble(row) / row.seconds());
    }

    SortedMap<String, double[]> readings(String metric) {
        return readings.getOrDefault(metric, Collections.emptySortedMap());
    }

    static double[] max(double[] a, double[] b) {
        double[] max = new double[a.length];
        Arrays.setAll(max, i -> Double.isNaN(a[i]) ? b[i] : Double.isNaN(b[i]) ? a[i] : Math.max(a[i], b[i]));
        return max;
    }

    static boolean anything(double[] values) {
        return Arrays.stream(values).anyMatch(value -> value > 0);
    }
}
