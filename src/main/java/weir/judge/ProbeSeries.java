package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import weir.results.ProbeReading;

/** The readings of the probes in one trial. Safe for many threads. */
public final class ProbeSeries {
    /** The sources that stand between the generator and the brokers, or behind them, each the begin of a name. */
    public static final List<String> BRIDGES =
            List.of("gateway", "haproxy", "nginx", "ingress", "channel", "filter", "source", "subscriber");

    /** A moment between two readings belongs to the nearer one. */
    private static final double HALF = 0.5;

    private final List<ProbeReading> all = new ArrayList<>();

    /** The growth of two totals that a process counts together. */
    public record Growth(long count, double sum) {
        private static final Growth NONE = new Growth(0, 0);

        /** NaN of nothing. */
        public double mean() {
            return count == 0 ? Double.NaN : sum / count;
        }

        private Growth plus(Growth other) {
            return new Growth(count + other.count, sum + other.sum);
        }
    }

    public static ProbeSeries of(List<ProbeReading> readings) {
        ProbeSeries series = new ProbeSeries();
        series.all.addAll(readings);
        return series;
    }

    public synchronized void add(ProbeReading reading) {
        all.add(reading);
    }

    /** The values of a metric of a source, or of all that are numbered so, from one second to another, in order. */
    synchronized double[] values(String source, String metric, double from, double to) {
        Predicate<ProbeReading> wanted = r -> r.metric().equals(metric)
                && is(r, source)
                && r.second() >= from
                && r.second() <= to
                && !Double.isNaN(r.value());
        return all.stream().filter(wanted).mapToDouble(ProbeReading::value).toArray();
    }

    private static boolean is(ProbeReading reading, String source) {
        return reading.source().equals(source) || reading.source().startsWith(source + "-");
    }

    /** The same by second, those of all sources added up. */
    public synchronized SortedMap<Long, Double> sums(String source, String metric, double from, double to) {
        SortedMap<Long, Double> sums = new TreeMap<>();
        for (ProbeReading r : all) {
            boolean wanted = r.metric().equals(metric) && r.source().startsWith(source);
            if (wanted && r.second() >= from && r.second() <= to && !Double.isNaN(r.value())) {
                sums.merge((long) r.second(), r.value(), Double::sum);
            }
        }
        return sums;
    }

    /** The mean over the seconds of such sums; NaN when nobody saw it. */
    public double meanOfSums(String source, String metric, double from, double to) {
        return sums(source, metric, from, to).values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /**
     * The growth of two totals between two moments, those of all sources that are numbered so added up. The reading of a
     * second was taken at its end. A process that was restarted counts from nothing again.
     */
    public synchronized Growth growth(String source, String count, String sum, double from, double to) {
        Map<String, SortedMap<Double, double[]>> totals = new TreeMap<>();
        for (ProbeReading r : all) {
            boolean counts = r.metric().equals(count);
            boolean sums = r.metric().equals(sum);
            if ((counts || sums) && is(r, source) && r.second() + 1 <= to + HALF) {
                totals.computeIfAbsent(r.source(), name -> new TreeMap<>())
                                .computeIfAbsent(r.second(), second -> new double[2])[counts ? 0 : 1] =
                        r.value();
            }
        }
        Growth growth = Growth.NONE;
        for (SortedMap<Double, double[]> of : totals.values()) {
            double[] before = {0, 0};
            for (Map.Entry<Double, double[]> reading : of.entrySet()) {
                double[] now = reading.getValue();
                boolean restarted = now[0] < before[0] || now[1] < before[1];
                if (reading.getKey() + 1 > from + HALF) {
                    growth = growth.plus(new Growth(
                            Math.round(now[0] - (restarted ? 0 : before[0])), now[1] - (restarted ? 0 : before[1])));
                }
                before = now;
            }
        }
        return growth;
    }

    /** NaN when nobody saw it. */
    public double max(String source, String metric, double from, double to) {
        double max = Double.NaN;
        for (double value : values(source, metric, from, to)) {
            max = Double.isNaN(max) ? value : Math.max(max, value);
        }
        return max;
    }

    public double mean(String source, String metric, double from, double to) {
        double sum = 0;
        double[] values = values(source, metric, from, to);
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? Double.NaN : sum / values.length;
    }

    public double last(String source, String metric, double from, double to) {
        double[] values = values(source, metric, from, to);
        return values.length == 0 ? Double.NaN : values[values.length - 1];
    }
}
