package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Latency;

/** All latencies of one kind since the run began, in seconds: as Prometheus' classic histogram and as its native one. */
final class LatencyBuckets {
    /** 1, 2 and 5 of each power of ten from half a millisecond to ten seconds, half a minute, a minute. */
    private static final double[] BOUNDS = {
        0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, Double.POSITIVE_INFINITY
    };

    /** Eight buckets for each doubling: each is 9 % wide, which is how far a quantile may be off. */
    static final int SCHEMA = 3;

    private static final int PER_DOUBLING = 1 << SCHEMA;
    /** The default of Prometheus' own clients, 2 to the power of -128. */
    private static final double ZERO_THRESHOLD = 0x1p-128;

    private static final double NANOS = 1e9;

    private final long[] classic = new long[BOUNDS.length];
    private final TreeMap<Integer, Long> exponential = new TreeMap<>();
    private long zeros;
    private double sum;
    /** Made again only after more was added: the trials before the one that runs do not change any more. */
    private @Nullable HistogramDataPointSnapshot made;

    void add(Latency window) {
        made = null;
        window.buckets((nanos, count) -> add(nanos / NANOS, count));
    }

    private void add(double seconds, long count) {
        int bound = 0;
        while (seconds > BOUNDS[bound]) {
            bound++;
        }
        classic[bound] += count;
        sum += seconds * count;
        if (seconds <= ZERO_THRESHOLD) {
            zeros += count;
        } else {
            exponential.merge(index(seconds), count, Long::sum);
        }
    }

    /** The bucket with the bounds 2^((i-1)/8), exclusive, and 2^(i/8). */
    static int index(double seconds) {
        return (int) Math.ceil(Math.log(seconds) / Math.log(2) * PER_DOUBLING - 1e-9);
    }

    HistogramDataPointSnapshot point(Labels labels) {
        HistogramDataPointSnapshot before = made;
        if (before != null && before.getLabels().equals(labels)) {
            return before;
        }
        HistogramDataPointSnapshot now = make(labels);
        made = now;
        return now;
    }

    private HistogramDataPointSnapshot make(Labels labels) {
        NativeHistogramBuckets.Builder buckets = NativeHistogramBuckets.builder();
        for (Map.Entry<Integer, Long> bucket : exponential.entrySet()) {
            buckets.bucket(bucket.getKey(), bucket.getValue());
        }
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .sum(sum)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, classic.clone()))
                .nativeSchema(SCHEMA)
                .nativeZeroCount(zeros)
                .nativeZeroThreshold(ZERO_THRESHOLD)
                .nativeBucketsForPositiveValues(buckets.build())
                .build();
    }
}
