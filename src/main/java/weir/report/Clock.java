package weir.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import weir.results.Reading;
import weir.results.Row;

/** The seconds of a trial, and its figures laid on them; a second without a figure is NaN. */
final class Clock {
    /** Windows shorter than this say nothing about a rate. */
    private static final double SHORT = 0.25;

    private final Pass pass;
    private final int seconds;
    private final Map<String, double[]> readings = new LinkedHashMap<>();

    Clock(Pass pass) {
        this.pass = pass;
        double last = Stream.concat(
                        pass.rows().stream().map(Row::second),
                        pass.readings().stream().map(Reading::second))
                .mapToDouble(second -> second)
                .max()
                .orElse(0);
        // A hand-edited folder may name a second that no trial reaches.
        seconds = (int) Math.min(last, 14 * 24 * 3600) + 1;
        for (Reading reading : pass.readings()) {
            put(
                    readings.computeIfAbsent(reading.source() + " " + reading.metric(), name -> empty()),
                    reading.second(),
                    reading.value());
        }
    }

    int seconds() {
        return seconds;
    }

    private double[] empty() {
        double[] values = new double[seconds];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    private static void put(double[] values, double second, double value) {
        int at = (int) second;
        if (second >= 0 && at < values.length) {
            values[at] = Double.isNaN(values[at]) ? value : Math.max(values[at], value);
        }
    }

    /** A figure of each window. */
    double[] windows(ToDoubleFunction<Row> figure) {
        double[] values = empty();
        for (Row row : pass.rows()) {
            put(values, row.second(), figure.applyAsDouble(row));
        }
        return values;
    }

    /** A count of each window, per second. */
    double[] rates(ToDoubleFunction<Row> count) {
        return windows(row -> row.seconds() < SHORT ? Double.NaN : count.applyAsDouble(row) / row.seconds());
    }

    /** What probes said of a metric, by who was looked at. */
    Map<String, double[]> readings(String metric) {
        Map<String, double[]> found = new LinkedHashMap<>();
        readings.forEach((name, values) -> {
            int space = name.lastIndexOf(' ');
            if (name.substring(space + 1).equals(metric)) {
                found.put(name.substring(0, space), values);
            }
        });
        return found;
    }

    /** The metrics that were read of anybody. */
    List<String> metrics() {
        return readings.keySet().stream()
                .map(name -> name.substring(name.lastIndexOf(' ') + 1))
                .distinct()
                .toList();
    }

    static double[] max(double[] a, double[] b) {
        double[] max = new double[a.length];
        for (int i = 0; i < max.length; i++) {
            max[i] = Double.isNaN(a[i]) ? b[i] : Double.isNaN(b[i]) ? a[i] : Math.max(a[i], b[i]);
        }
        return max;
    }

    static double[] times(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }

    static boolean anything(double[] values) {
        return Arrays.stream(values).anyMatch(value -> value > 0);
    }
}
