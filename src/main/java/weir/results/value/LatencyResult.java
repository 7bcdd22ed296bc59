package weir.results.value;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.measure.Known;
import weir.measure.Latency;
import weir.measure.Median;
import weir.plan.RecordKeys;

/**
 * One latency over a trial or a step, in milliseconds. A figure without a value is null.
 *
 * @param count the number of samples; 0 if unknown, as in an imported run
 * @param atLeastBeyond percentiles above this one are lower bounds, because some messages never ended; else null
 * @param error the possible error of each figure in milliseconds, if two clocks measured it; null for one clock
 */
public record LatencyResult(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p99,
        @Nullable Double p999,
        @Nullable Double p9999,
        @Nullable Double max,
        @Nullable Double mean,
        long count,
        @Nullable Double atLeastBeyond,
        @Nullable Double error) {
    /** The stored percentiles; 100 is the maximum. */
    public static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 100.0);

    public static final LatencyResult NONE = new LatencyResult(null, null, null, null, null, null, null, 0, null, null);

    public static LatencyResult of(Latency latency) {
        if (latency.empty()) {
            return NONE;
        }
        return new LatencyResult(
                latency.millis(50),
                latency.millis(90),
                latency.millis(99),
                latency.millis(99.9),
                latency.millis(99.99),
                latency.maxMillis(),
                latency.meanMillis(),
                latency.count(),
                latency.censored() > 0 ? latency.atLeastBeyond() : null,
                null);
    }

    /**
     * The median over several trials for each percentile. The result has the lowest count above 0, the lowest {@code
     * atLeastBeyond} and the highest error of all trials.
     */
    public static <T> LatencyResult median(List<T> all, Function<T, LatencyResult> latency) {
        List<LatencyResult> of = all.stream().map(latency).toList();
        return new LatencyResult(
                Median.of(of, LatencyResult::p50),
                Median.of(of, LatencyResult::p90),
                Median.of(of, LatencyResult::p99),
                Median.of(of, LatencyResult::p999),
                Median.of(of, LatencyResult::p9999),
                Median.of(of, LatencyResult::max),
                Median.of(of, LatencyResult::mean),
                of.stream()
                        .mapToLong(LatencyResult::count)
                        .filter(count -> count > 0)
                        .min()
                        .orElse(0),
                Known.least(of, LatencyResult::atLeastBeyond),
                Known.most(of, LatencyResult::error));
    }

    public boolean known() {
        return !equals(NONE);
    }

    /** The number of samples; null if the latency is known without this number. */
    public @Nullable Long samples() {
        return count == 0 && known() ? null : (Long) count;
    }

    public LatencyResult within(double millis) {
        return RecordKeys.with(this, Map.of("error", millis));
    }

    /** True if this percentile is only a lower bound, because some messages never ended. */
    public boolean isBound(double percentile) {
        return atLeastBeyond != null && percentile > atLeastBeyond;
    }

    public @Nullable Double at(double percentile) {
        if (!PERCENTILES.contains(percentile)) {
            throw new IllegalArgumentException("p" + percentile + " is not kept");
        }
        return Arrays.asList(p50, p90, p99, p999, p9999, max).get(PERCENTILES.indexOf(percentile));
    }
}
