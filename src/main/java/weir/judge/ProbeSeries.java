package weir.judge;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import weir.measure.Reading;
import weir.results.TrialFolder;
import weir.results.value.HostFacts;

/**
 * The probe readings of one trial. Each reading covers one second and belongs to the period {@code [from, to)} in which
 * this second begins. Safe for many threads.
 */
public final class ProbeSeries {
    /** Prefixes of the sources between the generator and the brokers, or behind the brokers. */
    public static final List<String> BRIDGES =
            List.of("gateway", "haproxy", "nginx", "ingress", "channel", "filter", "source", "subscriber");

    private static final double HALF = 0.5;

    /** Values by metric and source, sorted so that sums do not depend on the order of arrival. */
    private final SortedMap<String, SortedMap<String, Column>> metrics = new TreeMap<>();

    private static final class Column {
        private double[] seconds = new double[16];
        private double[] values = new double[16];
        private int size;

        void add(double second, double value) {
            if (size == seconds.length) {
                seconds = Arrays.copyOf(seconds, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
            }
            seconds[size] = second;
            values[size] = value;
            size++;
        }

        /** Passes on the readings whose second begins in {@code [from, to)}. */
        void each(double from, double to, Taking taking) {
            for (int i = 0; i < size; i++) {
                if (seconds[i] >= from && seconds[i] < to && !Double.isNaN(values[i])) {
                    taking.take(seconds[i], values[i]);
                }
            }
        }
    }

    private interface Taking {
        void take(double second, double value);
    }

    public record Growth(long count, double sum) {
        public double mean() {
            return count == 0 ? Double.NaN : sum / count;
        }
    }

    public static ProbeSeries of(List<Reading> readings) {
        ProbeSeries series = new ProbeSeries();
        readings.forEach(series::add);
        return series;
    }

    public static ProbeSeries of(TrialFolder folder, BiPredicate<String, String> wanted) {
        ProbeSeries series = new ProbeSeries();
        folder.readings(wanted, series::add);
        return series;
    }

    public synchronized void add(Reading reading) {
        metrics.computeIfAbsent(reading.metric(), metric -> new TreeMap<>())
                .computeIfAbsent(reading.source(), source -> new Column())
                .add(reading.second(), reading.value());
    }

    private SortedMap<String, Column> columns(String metric, Predicate<String> sources) {
        SortedMap<String, Column> columns = new TreeMap<>(metrics.getOrDefault(metric, Collections.emptySortedMap()));
        columns.keySet().removeIf(sources.negate());
        return columns;
    }

    synchronized List<String> sources(String source, String metric) {
        return List.copyOf(columns(metric, name -> is(name, source)).keySet());
    }

    synchronized double[] values(String source, String metric, double from, double to) {
        DoubleStream.Builder values = DoubleStream.builder();
        each(source, metric, from, to, (second, value) -> values.add(value));
        return values.build().toArray();
    }

    private void each(String source, String metric, double from, double to, Taking taking) {
        columns(metric, name -> is(name, source)).values().forEach(column -> column.each(from, to, taking));
    }

    private static boolean is(String name, String source) {
        return name.equals(source) || (!HostFacts.isSource(source) && name.startsWith(source + "-"));
    }

    public synchronized SortedMap<String, SortedMap<Double, Double>> bySource(String source, String metric) {
        SortedMap<String, SortedMap<Double, Double>> sources = new TreeMap<>();
        columns(metric, name -> is(name, source)).forEach((name, column) -> {
            TreeMap<Double, Double> values = new TreeMap<>();
            column.each(
                    Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, (second, value) -> values.put(second, value));
            sources.put(name, values);
        });
        return sources;
    }

    public synchronized SortedMap<Long, Double> sums(String source, String metric, double from, double to) {
        SortedMap<Long, Double> sums = new TreeMap<>();
        columns(metric, name -> HostFacts.isSource(source) ? name.equals(source) : name.startsWith(source))
                .values()
                .forEach(column ->
                        column.each(from, to, (second, value) -> sums.merge((long) second, value, Double::sum)));
        return sums;
    }

    public double meanOfSums(String source, String metric, double from, double to) {
        return sums(source, metric, from, to).values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /**
     * The growth of two totals between two moments, summed over the matching sources. A reading is of the end of its
     * second. A restarted process counts from 0 again.
     */
    public synchronized Growth growth(String source, String count, String sum, double from, double to) {
        Map<String, SortedMap<Double, double[]>> totals = new TreeMap<>();
        for (String metric : List.of(count, sum)) {
            columns(metric, name -> is(name, source))
                    .forEach(
                            (name, column) -> column.each(
                                    Double.NEGATIVE_INFINITY,
                                    Math.nextUp(to + HALF - 1),
                                    (second, value) -> totals.computeIfAbsent(name, of -> new TreeMap<>())
                                            .computeIfAbsent(second, of -> new double[2])[
                                            metric.equals(count) ? 0 : 1] = value));
        }
        Growth growth = new Growth(0, 0);
        for (SortedMap<Double, double[]> of : totals.values()) {
            double[] before = {0, 0};
            for (Map.Entry<Double, double[]> reading : of.entrySet()) {
                double[] now = reading.getValue();
                boolean restarted = now[0] < before[0] || now[1] < before[1];
                if (reading.getKey() + 1 > from + HALF) {
                    growth = new Growth(
                            growth.count + Math.round(now[0] - (restarted ? 0 : before[0])),
                            growth.sum + (now[1] - (restarted ? 0 : before[1])));
                }
                before = now;
            }
        }
        return growth;
    }

    public double max(String source, String metric, double from, double to) {
        return DoubleStream.of(values(source, metric, from, to)).max().orElse(Double.NaN);
    }

    /** The largest sum of two sources in one second; NaN without readings. */
    public synchronized double maxOfTwo(String source, String metric, double from, double to) {
        Map<Double, double[]> seconds = new TreeMap<>();
        each(source, metric, from, to, (second, value) -> {
            double[] two = seconds.computeIfAbsent(second, of -> new double[2]);
            two[1] = Math.max(two[1], Math.min(two[0], value));
            two[0] = Math.max(two[0], value);
        });
        return seconds.values().stream()
                .mapToDouble(two -> two[0] + two[1])
                .max()
                .orElse(Double.NaN);
    }

    public double mean(String source, String metric, double from, double to) {
        return DoubleStream.of(values(source, metric, from, to)).average().orElse(Double.NaN);
    }

    public synchronized double last(String source, String metric, double from, double to) {
        double[] last = {Double.NEGATIVE_INFINITY, Double.NaN};
        each(source, metric, from, to, (second, value) -> {
            if (second >= last[0]) {
                last[0] = second;
                last[1] = value;
            }
        });
        return last[1];
    }
}
