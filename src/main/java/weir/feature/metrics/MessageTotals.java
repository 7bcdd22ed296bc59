package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.metrics.BrokerSeries.MetricPoints;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.trial.Trial;

/**
 * The sums over the one-second windows of a run, by variant and by the phase in which the message was due. Measuring
 * threads only queue windows, so they never wait. {@link #addUp} and readers add the queued windows to the sums.
 */
final class MessageTotals {
    /** The limit of variants with their own series. All other variants share the series {@value #OTHERS}. */
    static final int MOST_VARIANTS = 100;

    static final String OTHERS = "(others)";

    private static final String VARIANT = "variant";
    private static final SortedMap<String, Count> COUNTS = counts();

    private static final SortedMap<LatencyKind, String> HELP = new TreeMap<>(Map.of(
            LatencyKind.RESPONSE, "acked - due: the time from the due time of a record to its acknowledgement.",
            LatencyKind.SERVICE, "acked - sent: the latency that most other tools report.",
            LatencyKind.E2E, "received - due.",
            LatencyKind.LATE, "The part of sent - due that the generator caused.",
            LatencyKind.BACKPRESSURE, "The part of sent - due that an earlier blocked call caused."));

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    private final SortedMap<Labels, Totals> totals = new TreeMap<>();

    private static final class Totals {
        final SortedMap<String, Long> counts = new TreeMap<>();
        final SortedMap<LatencyKind, LatencyBuckets> latencies = new TreeMap<>();

        void begin() {
            HELP.keySet().forEach(kind -> latencies.computeIfAbsent(kind, none -> new LatencyBuckets()));
        }

        void add(Numbers numbers) {
            COUNTS.forEach((name, count) -> counts.merge(name, numbers.count(count), Long::sum));
            for (LatencyKind kind : HELP.keySet()) {
                if (!numbers.latency(kind).empty()) {
                    latencies
                            .computeIfAbsent(kind, none -> new LatencyBuckets())
                            .add(numbers.latency(kind));
                }
            }
        }
    }

    private static SortedMap<String, Count> counts() {
        SortedMap<String, Count> counts = new TreeMap<>();
        List.of(Count.DUE, Count.UNSENT, Count.SENT, Count.ACKED, Count.FAILED, Count.ABORTED, Count.RECEIVED)
                .forEach(count -> counts.put("weir_records_" + count.name().toLowerCase(Locale.ROOT), count));
        counts.put("weir_acked_bytes", Count.BYTES_ACKED);
        counts.put("weir_received_bytes", Count.BYTES_RECEIVED);
        return counts;
    }

    /** Begins a trial with counters at zero, because the first growth of a counter would be lost without the zero. */
    void begin(Trial trial) {
        waiting.add(() -> {
            of(trial, Steps.MEASURE).begin();
            if (!trial.variant().warmup().none()) {
                of(trial, Steps.WARMUP).begin();
            }
            if (!trial.variant().load().backlog().none()) {
                of(trial, Steps.FILL).begin();
            }
        });
    }

    void add(Trial trial, Snapshot window) {
        waiting.add(() -> window.steps().forEach(due -> of(trial, due).add(window.numbers(due))));
    }

    int waiting() {
        return waiting.size();
    }

    synchronized void addUp() {
        for (Runnable adds = waiting.poll(); adds != null; adds = waiting.poll()) {
            adds.run();
        }
    }

    private Totals of(Trial trial, int due) {
        String phase = due == Steps.FILL ? "fill" : due == Steps.WARMUP ? "warm-up" : "measure";
        String variant = trial.variant().name();
        Totals known = totals.get(labels(variant, phase));
        return known == null ? totals.computeIfAbsent(labels(shown(variant), phase), first -> new Totals()) : known;
    }

    private static Labels labels(String variant, String phase) {
        return Labels.of(VARIANT, variant, "phase", phase);
    }

    private String shown(String variant) {
        Set<String> known =
                totals.keySet().stream().map(labels -> labels.get(VARIANT)).collect(Collectors.toSet());
        return known.contains(variant) || known.size() < MOST_VARIANTS ? variant : OTHERS;
    }

    synchronized void show(List<MetricSnapshot> all) {
        addUp();
        for (String name : COUNTS.keySet()) {
            Map<Labels, Long> counts = new TreeMap<>();
            totals.forEach((labels, total) -> counts.put(labels, total.counts.getOrDefault(name, 0L)));
            all.add(MetricPoints.counter(name, help(name), counts));
        }
        HELP.forEach((kind, help) -> all.add(new HistogramSnapshot(
                new MetricMetadata("weir_" + kind.word() + "_seconds", help),
                totals.entrySet().stream()
                        .filter(total -> total.getValue().latencies.containsKey(kind))
                        .map(total -> total.getValue().latencies.get(kind).point(total.getKey()))
                        .toList())));
    }

    private static String help(String name) {
        if (name.endsWith("_bytes")) {
            return "Bytes of values " + (name.contains("acked") ? "acknowledged." : "received.");
        }
        return "Records " + Count.of(name.substring("weir_records_".length())).meaning()
                + ", by the phase in which they were due.";
    }

    static final class LatencyBuckets {
        /** In seconds: 1, 2 and 5 of each power of ten from 0.5 ms to 10 s, then 30 s and 60 s. */
        private static final double[] BOUNDS = {
            0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, Double.POSITIVE_INFINITY
        };

        /** Eight buckets for each doubling, each 9 % wide, which is the largest error of a quantile. */
        static final int SCHEMA = 3;

        private static final int PER_DOUBLING = 1 << SCHEMA;
        /** The limit of zero. 2^-128 is the default of Prometheus' own clients. */
        private static final double ZERO_THRESHOLD = 0x1p-128;

        private static final double NANOS = 1e9;

        private final long[] classic = new long[BOUNDS.length];
        private final TreeMap<Integer, Long> exponential = new TreeMap<>();
        private long zeros;
        private double sum;
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

        /** Returns the index i of the bucket for values above 2^((i-1)/8) up to 2^(i/8). */
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
}
