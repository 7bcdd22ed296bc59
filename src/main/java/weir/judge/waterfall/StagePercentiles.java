package weir.judge.waterfall;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import weir.judge.ProbeSeries;

/**
 * The percentiles of stages as the brokers tell them, each of the broker where it is highest, in milliseconds. Kafka takes them from a
 * sample that favours the last five minutes, whatever a step is; and percentiles of stages add up to nothing.
 */
public record StagePercentiles(Map<RequestTime, Double> p50, Map<RequestTime, Double> p99) {
    public static final StagePercentiles NONE = new StagePercentiles(Map.of(), Map.of());

    public StagePercentiles {
        p50 = sorted(p50);
        p99 = sorted(p99);
    }

    private static Map<RequestTime, Double> sorted(Map<RequestTime, Double> percentiles) {
        EnumMap<RequestTime, Double> sorted = new EnumMap<>(RequestTime.class);
        sorted.putAll(percentiles);
        return Collections.unmodifiableMap(sorted);
    }

    /** The last ones that were seen between two moments; empty where there were none. */
    static StagePercentiles of(ProbeSeries readings, RequestKind kind, double from, double to) {
        return new StagePercentiles(of(readings, kind, "p50", from, to), of(readings, kind, "p99", from, to));
    }

    private static EnumMap<RequestTime, Double> of(
            ProbeSeries readings, RequestKind kind, String figure, double from, double to) {
        EnumMap<RequestTime, Double> highest = new EnumMap<>(RequestTime.class);
        for (RequestTime time : RequestTime.values()) {
            readings.bySource("broker", kind.metric(time, figure)).values().forEach(values -> {
                SortedMap<Double, Double> seen = values.subMap(from, to);
                if (!seen.isEmpty()) {
                    highest.merge(time, seen.get(seen.lastKey()), Math::max);
                }
            });
        }
        return highest;
    }
}
