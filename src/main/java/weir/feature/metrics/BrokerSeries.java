package weir.feature.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.feature.metrics.BrokerExport.Answer;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExporterDialect.ExporterName.SeriesType;

/**
 * The metrics of all local brokers, with the names of the JMX exporter and the label {@code broker_id}. Each broker
 * process is read separately, so that a hanging broker does not delay the others.
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

    /** Starts to read new brokers, so that the first scrape finds their series. */
    public synchronized void meet(SortedMap<Integer, Long> brokers) {
        brokers.values().stream()
                .filter(pid -> pid > 0 && !readers.containsKey(pid))
                .forEach(pid -> reader(pid).ask());
    }

    /**
     * @param brokers process id of each broker, by broker id; below 1 for a broker that does not run
     * @param phase number that changes when a phase of a trial begins, which renews all readings
     */
    synchronized List<MetricSnapshot> read(SortedMap<Integer, Long> brokers, long phase, Duration timeout) {
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
        long until = clock.getAsLong() + timeout.toNanos();
        SortedMap<Integer, Answer> answers = new TreeMap<>();
        brokers.forEach((id, pid) -> answers.put(
                id, pid > 0 ? reader(pid).answer(Duration.ofNanos(Math.max(0, until - clock.getAsLong()))) : ENDED));
        return show(answers);
    }

    /** The series of these answers; without a new answer, the same list object as before. */
    @SuppressWarnings("ReferenceEquality") // the same reading object, not one with equal numbers
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
        // Sorted by name. Of two samples with the same labels the first one counts.
        Map<String, Family> families = new HashMap<>();
        Map<Labels, Integer> up = new HashMap<>();
        Map<Labels, Integer> leftOut = new HashMap<>();
        answers.forEach((id, answer) -> {
            Labels of = Labels.of(BROKER, String.valueOf(id));
            up.put(of, answer.series().isEmpty() ? 0 : 1);
            leftOut.put(of, answer.leftOut());
            answer.series().forEach(series -> {
                String name = series.name().name();
                unlessRefused(name, () -> {
                    Labels labels = labels(id, series.name());
                    families.computeIfAbsent(
                                    name, none -> new Family(series.name().type(), new HashMap<>()))
                            .values()
                            .putIfAbsent(labels, series.value());
                });
            });
        });
        List<MetricSnapshot> all = new ArrayList<>();
        families.forEach((name, family) -> unlessRefused(name, () -> all.add(family.snapshot(name))));
        if (!answers.isEmpty()) {
            all.add(MetricPoints.gauge(
                    "weir_broker_up",
                    "1 if the metrics of this local broker are up to date, 0 if it has ended or does not answer.",
                    up));
            all.add(MetricPoints.gauge(
                    "weir_broker_series_left_out",
                    "Omitted series of partitions, because a broker exports at most " + BrokerExport.MOST_SERIES + ".",
                    leftOut));
        }
        return List.copyOf(all);
    }

    private static Labels labels(int broker, ExporterName series) {
        Labels.Builder labels = Labels.builder().label(BROKER, String.valueOf(broker));
        // Prometheus itself renames conflicting labels in this way.
        series.labels().forEach((name, value) -> labels.label(name.equals(BROKER) ? "exported_" + name : name, value));
        return labels.build();
    }

    /** Drops a series if Prometheus' library refuses its name or a label. */
    private void unlessRefused(String name, Runnable add) {
        try {
            add.run();
        } catch (IllegalArgumentException e) {
            if (refused.add(name)) {
                LOG.warn("cannot export series {}", name, e);
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

    @Override
    public synchronized void close() {
        List.copyOf(readers.keySet()).forEach(this::forget);
    }

    private record Family(SeriesType type, Map<Labels, Double> values) {
        MetricSnapshot snapshot(String name) {
            String help = "As exported by the JMX exporter with Strimzi's rules.";
            return switch (type) {
                case COUNTER -> {
                    // Some Kafka metrics that the rules call counters start as NaN.
                    values.replaceAll((labels, value) -> value >= 0 ? value : 0);
                    yield MetricPoints.counter(name.substring(0, name.length() - "_total".length()), help, values);
                }
                case GAUGE -> MetricPoints.gauge(name, help, values);
                case UNTYPED -> MetricPoints.untyped(name, help, values);
            };
        }
    }

    /** Factory methods for data points and metric families of Prometheus' library. */
    static final class MetricPoints {
        private MetricPoints() {}

        static InfoSnapshot info(String name, String help, Labels labels) {
            return new InfoSnapshot(
                    new MetricMetadata(name, help), List.of(new InfoSnapshot.InfoDataPointSnapshot(labels)));
        }

        static GaugeSnapshot gauge(String name, String help, Map<Labels, ? extends Number> values) {
            return new GaugeSnapshot(
                    new MetricMetadata(name, help),
                    points(values, (labels, value) -> new GaugeDataPointSnapshot(value, labels, null)));
        }

        static CounterSnapshot counter(String name, String help, Map<Labels, ? extends Number> values) {
            return new CounterSnapshot(
                    new MetricMetadata(name, help),
                    points(values, (labels, value) -> new CounterDataPointSnapshot(value, labels, null, 0)));
        }

        static UnknownSnapshot untyped(String name, String help, Map<Labels, ? extends Number> values) {
            return new UnknownSnapshot(
                    new MetricMetadata(name, help),
                    points(values, (labels, value) -> new UnknownDataPointSnapshot(value, labels, null)));
        }

        private static <P> List<P> points(Map<Labels, ? extends Number> values, BiFunction<Labels, Double, P> point) {
            return values.entrySet().stream()
                    .map(one -> point.apply(one.getKey(), one.getValue().doubleValue()))
                    .toList();
        }

        /** Adds a gauge with one value. An unknown value is omitted instead of shown as 0. */
        static void known(List<MetricSnapshot> all, String name, String help, double value) {
            if (!Double.isNaN(value)) {
                all.add(gauge(name, help, Map.of(Labels.EMPTY, value)));
            }
        }
    }
}
