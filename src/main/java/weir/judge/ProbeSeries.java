package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import weir.results.ProbeReading;

/** The readings of the probes in one trial. Safe for many threads. */
public final class ProbeSeries {
    /** The sources that stand between the generator and the brokers, each the begin of a name. */
    public static final List<String> BRIDGES = List.of("gateway", "haproxy", "nginx");

    private final List<ProbeReading> all = new ArrayList<>();

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
                && (r.source().equals(source) || r.source().startsWith(source + "-"))
                && r.second() >= from
                && r.second() <= to
                && !Double.isNaN(r.value());
        return all.stream().filter(wanted).mapToDouble(ProbeReading::value).toArray();
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
