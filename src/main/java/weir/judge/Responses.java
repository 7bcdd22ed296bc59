package weir.judge;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Percentile;
import weir.results.RunFolder;
import weir.results.TrialFolder;

/**
 * The responses of one or several trials, exact or from histograms with 0.1 % precision.
 *
 * @param sorted in nanoseconds, in rising order; empty if they are not exact
 */
@SuppressWarnings("ArrayRecordComponent")
public record Responses(long[] sorted, Latency histogram) {
    private static final double MILLI = 1e6;

    public static List<Responses> of(RunFolder run, String variant) {
        return run.trials().stream()
                .filter(trial -> trial.finished() && trial.started().variant().equals(variant))
                .map(Responses::of)
                .filter(each -> each.count() > 0)
                .toList();
    }

    public static Responses of(TrialFolder trial) {
        Responses exact = of(trial.operations());
        if (exact.count() > 0) {
            return exact;
        }
        SortedMap<String, Latency> measured = trial.latencies();
        measured.keySet().removeIf(tag -> !HistogramLog.LatencyTag.of(tag).measured(LatencyKind.RESPONSE));
        return new Responses(new long[0], Latency.sum(measured.values()));
    }

    static Responses of(long... nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Responses(sorted, Latency.sum(List.of()));
    }

    public static Responses pooled(List<Responses> trials) {
        if (trials.stream().allMatch(Responses::exact)) {
            return of(trials.stream()
                    .flatMapToLong(trial -> Arrays.stream(trial.sorted))
                    .toArray());
        }
        return new Responses(
                new long[0],
                Latency.sum(trials.stream().map(Responses::histogram).toList()));
    }

    public boolean exact() {
        return sorted.length > 0;
    }

    public long count() {
        return exact() ? sorted.length : histogram.count();
    }

    /** The {@link Percentile} in milliseconds; 0 is the minimum, 100 the maximum. NaN without responses. */
    public double millis(double percentile) {
        if (exact()) {
            return sorted[(int) Percentile.rank(percentile, sorted.length) - 1] / MILLI;
        }
        return histogram.empty() ? Double.NaN : histogram.millis(percentile);
    }

    public double meanMillis() {
        if (exact()) {
            return Arrays.stream(sorted).average().orElse(Double.NaN) / MILLI;
        }
        return histogram.empty() ? Double.NaN : histogram.meanMillis();
    }

    boolean thin(double percentile) {
        return Latency.thin(count(), percentile);
    }
}
