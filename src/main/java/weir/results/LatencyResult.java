package weir.results;

import org.jspecify.annotations.Nullable;
import weir.measure.Latency;

/** One latency over a trial or a step, in milliseconds; null where nothing was recorded. */
public record LatencyResult(
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p99,
        @Nullable Double p999,
        @Nullable Double p9999,
        @Nullable Double max,
        @Nullable Double mean,
        long count) {
    public static final LatencyResult NONE = new LatencyResult(null, null, null, null, null, null, null, 0);

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
                latency.count());
    }
}
