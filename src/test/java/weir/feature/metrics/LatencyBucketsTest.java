package weir.feature.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBucket;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import weir.measure.Latency;
import weir.measure.Percentile;

class LatencyBucketsTest {
    @Test
    void classicBucketsHaveWhatIsAtMostTheirBound() {
        HistogramDataPointSnapshot point = point(400_000, 900_000, 3_000_000, 70_000_000_000L);
        // Bounds 0.5 ms, 1 ms, 2 ms, 5 ms … and above a minute.
        assertThat(point.getClassicBuckets().getCount(0)).isOne();
        assertThat(point.getClassicBuckets().getCount(1)).isOne();
        assertThat(point.getClassicBuckets().getCount(2)).isZero();
        assertThat(point.getClassicBuckets().getCount(3)).isOne();
        int last = point.getClassicBuckets().size() - 1;
        assertThat(point.getClassicBuckets().getUpperBound(last)).isInfinite();
        assertThat(point.getClassicBuckets().getCount(last)).isOne();
        assertThat(point.getCount()).isEqualTo(4);
        assertThat(point.getSum()).isCloseTo(70.0043, withinPercentage(0.1));
    }

    @Test
    void aNativeBucketEndsAtItsBoundAndTheNextBeginsBehindIt() {
        assertThat(MessageTotals.LatencyBuckets.index(1)).isZero();
        assertThat(MessageTotals.LatencyBuckets.index(1.0001)).isOne();
        assertThat(MessageTotals.LatencyBuckets.index(2)).isEqualTo(8);
        assertThat(MessageTotals.LatencyBuckets.index(0.5)).isEqualTo(-8);
        assertThat(MessageTotals.LatencyBuckets.index(Math.pow(2, 3 / 8.0))).isEqualTo(3);
    }

    @Test
    void nativeBucketsAddUpAndNothingAtAllIsZero() {
        HistogramDataPointSnapshot point = point(0, 1_000_000_000, 1_000_000_000, 2_000_000_000);
        assertThat(point.getNativeZeroCount()).isOne();
        assertThat(point.getNativeBucketsForPositiveValues().stream()
                        .mapToLong(bucket -> bucket.getCount())
                        .sum())
                .isEqualTo(3);
        assertThat(point.getNativeSchema()).isEqualTo(MessageTotals.LatencyBuckets.SCHEMA);
    }

    /** The bucket in which Prometheus finds a quantile holds the percentile that the report states. */
    @Test
    void aQuantileFallsIntoTheBucketOfThePercentile() {
        for (int count : new int[] {1, 2, 10, 99, 100, 101, 299, 300, 301}) {
            Latency latency = new Latency();
            LongStream.rangeClosed(1, count).forEach(millis -> latency.record(millis * 1_000_000, 1));
            MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
            buckets.add(latency);
            for (double percentile : new double[] {50, 90, 99, 99.9}) {
                long left = Percentile.rank(percentile, count);
                int index = Integer.MAX_VALUE;
                for (NativeHistogramBucket bucket : buckets.point(Labels.EMPTY).getNativeBucketsForPositiveValues()) {
                    if (left > 0) {
                        left -= bucket.getCount();
                        index = bucket.getBucketIndex();
                    }
                }
                assertThat(MessageTotals.LatencyBuckets.index(latency.millis(percentile) / 1_001))
                        .as("p%s of %d", percentile, count)
                        .isEqualTo(index);
            }
        }
    }

    @Test
    void windowsAddUp() {
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        buckets.add(latency(1_000_000));
        buckets.add(latency(1_000_000, 5_000_000));
        assertThat(buckets.point(Labels.EMPTY).getCount()).isEqualTo(3);
    }

    private static HistogramDataPointSnapshot point(long... nanos) {
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        buckets.add(latency(nanos));
        return buckets.point(Labels.EMPTY);
    }

    private static Latency latency(long... nanos) {
        Latency latency = new Latency();
        for (long each : nanos) {
            latency.record(each, 1);
        }
        return latency;
    }
}
