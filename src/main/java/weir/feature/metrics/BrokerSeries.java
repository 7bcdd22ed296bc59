package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.feature.metrics.BrokerExport.Answer;
import weir.feature.metrics.BrokerExport.Exported;

/**
 * The brokers of this machine as the JMX exporter would show them, at one address: each series has the additional
 * label {@code broker_id}. Each process is read by itself, so that one that hangs delays no other.
 */
public final class BrokerSeries implements AutoCloseable {
    static final String BROKER = "broker_id";
    private static final Answer ENDED = new Answer(List.of(), 0, 0);
    private static final Logger LOG = LoggerFactory.getLogger(BrokerSeries.class);

    private final Set<String> refused = new HashSet<>();
    private final LongSupplier clock;
    private final LongFunction<BrokerExport> open;
    private final Map<Long, BrokerExport> readers = new HashMap<>();
    private long readIn;
    private SortedMap<Integer, Answer> answered = new TreeMap<>();
    private List<MetricSnapshot> shown = List.of();

    public BrokerSeries(LongSupplier clock) {
        this(clock, pid -> new BrokerExport(pid, clock));
    }

    BrokerSeries(LongSupplier clock, LongFunction<BrokerExport> open) {
        this.clock = clock;
        this.open = open;
    }

    /** Begins to read the brokers that have not been read yet, so that the first scrape finds their series. */
    public synchronized void meet(SortedMap<Integer, Long> brokers) {
        brokers.values().stream()
                .filter(pid -> pid > 0 && !readers.containsKey(pid))
                .forEach(pid -> reader(pid).ask());
    }

    /**
     * The series of these brokers, by id and process, which is below 1 for one that does not run.
     *
     * @param phase changes when something begins or ends that the numbers are to tell apart
     * @param patience with all of them together; one that is slower is shown as it was before
     */
    synchronized List<MetricSnapshot> read(SortedMap<Integer, Long> brokers, long phase, Duration patience) {
        if (phase != readIn) {
            readIn = phase;
            readers.values().forEach(BrokerExport::renew);
        }
        Set<Long> ended = new HashSet<>(readers.keySet());
        ended.removeAll(brokers.values());
        ended.forEach(this::forget);
        brokers.values().stream()
                .filter(pid -> pid > 0)
                .forEach(pid -> reader(pid).ask());
        long until = clock.getAsLong() + patience.toNanos();
        SortedMap<Integer, Answer> answers = new TreeMap<>();
        brokers.forEach((id, pid) -> answers.put(
                id, pid > 0 ? reader(pid).answer(Duration.ofNanos(Math.max(0, until - clock.getAsLong()))) : ENDED));
        return show(answers);
    }

    /** Returns the series of these answers; the same list as before if no answer is new. */
    @SuppressWarnings("ReferenceEquality") // the same reading, not one with the same numbers
    synchronized List<MetricSnapshot> show(SortedMap<Integer, Answer> answers) {
        boolean same = answers.keySet().equals(answered.keySet())
                && answers.entrySet().stream().allMatch(answer -> answered.get(answer.getKey()) == answer.getValue());
        if (!same) {
            answered = new TreeMap<>(answers);
            shown = series(answers);
        }
        return shown;
    }

    private List<MetricSnapshot> series(SortedMap<Integer, Answer> answers) {
        // By their names; of two samples with the same labels the first one counts.
        Map<String, Map<Labels, Exported>> families = new HashMap<>();
        List<GaugeDataPointSnapshot> up = new ArrayList<>();
        List<GaugeDataPointSnapshot> leftOut = new ArrayList<>();
        answers.forEach((id, answer) -> {
            Labels of = Labels.of(BROKER, String.valueOf(id));
            up.add(MetricPoints.level(answer.series().isEmpty() ? 0 : 1, of));
            leftOut.add(MetricPoints.level(answer.leftOut(), of));
            answer.series().forEach(series -> {
                String name = series.name().name();
                unlessRefused(name, () -> {
                    Labels labels = labels(id, series.name());
                    families.computeIfAbsent(name, none -> new LinkedHashMap<>())
                            .putIfAbsent(labels, series);
                });
            });
        });
        List<MetricSnapshot> all = new ArrayList<>();
        families.forEach((name, samples) -> unlessRefused(name, () -> all.add(family(name, samples))));
        if (!answers.isEmpty()) {
            all.add(MetricPoints.gauge(
                    "weir_broker_up",
                    "1 for a broker of this machine whose metrics are read, 0 for one that has ended or does not answer.",
                    up.stream()));
            all.add(MetricPoints.gauge(
                    "weir_broker_series_left_out",
                    "Series of partitions beyond the most that are shown of one broker, " + BrokerExport.MOST_SERIES
                            + ".",
                    leftOut.stream()));
        }
        return List.copyOf(all);
    }

    private static Labels labels(int broker, ExporterName series) {
        Labels.Builder labels = Labels.builder().label(BROKER, String.valueOf(broker));
        // Prometheus itself renames a scraped label that it sets in this way.
        series.labels().forEach((name, value) -> labels.label(name.equals(BROKER) ? "exported_" + name : name, value));
        return labels.build();
    }

    /** Drops only the series whose name or label Prometheus' library refuses. */
    private void unlessRefused(String name, Runnable add) {
        try {
            add.run();
        } catch (IllegalArgumentException e) {
            if (refused.add(name)) {
                LOG.warn("no series {}", name, e);
            }
        }
    }

    private BrokerExport reader(long pid) {
        return readers.computeIfAbsent(pid, open::apply);
    }

    private void forget(long pid) {
        BrokerExport reader = readers.remove(pid);
        if (reader != null) {
            reader.close();
        }
    }

    private static MetricSnapshot family(String name, Map<Labels, Exported> samples) {
        String help = "As the JMX exporter shows it by Strimzi's rules.";
        Stream<Map.Entry<Labels, Exported>> points = samples.entrySet().stream();
        return switch (samples.values().iterator().next().name().type()) {
            case COUNTER ->
                // Kafka has metrics that the rules call counters and that start as NaN.
                MetricPoints.counter(
                        name.substring(0, name.length() - "_total".length()),
                        help,
                        points.map(point -> MetricPoints.count(
                                point.getValue().value() >= 0 ? point.getValue().value() : 0, point.getKey())));
            case GAUGE ->
                MetricPoints.gauge(
                        name,
                        help,
                        points.map(point -> MetricPoints.level(point.getValue().value(), point.getKey())));
            case UNTYPED ->
                new UnknownSnapshot(
                        new MetricMetadata(name, help),
                        points.map(point -> new UnknownDataPointSnapshot(
                                        point.getValue().value(), point.getKey(), null))
                                .toList());
        };
    }

    @Override
    public synchronized void close() {
        List.copyOf(readers.keySet()).forEach(this::forget);
    }
}
