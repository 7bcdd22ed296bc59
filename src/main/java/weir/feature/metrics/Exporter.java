package weir.feature.metrics;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.metrics.ExporterClient.ExporterAddress;
import weir.feature.metrics.ExporterDialect.ExportedFigures;
import weir.feature.metrics.ExporterDialect.ExportedFigures.JvmSample;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExpositionParser.Sample;
import weir.measure.Reading;
import weir.probe.BrokerFigure;
import weir.probe.BrokerFigure.MessagesIn;
import weir.probe.Readings;
import weir.time.DaemonThreads;

/** An exporter and its last answer. Only {@link #messagesIn}, {@link #sources} and {@link #close} are thread-safe. */
final class Exporter implements AutoCloseable {
    private static final String ANCHOR = "messages.in.per.s";
    private static final String TOPIC = "topic";
    private static final int MOST_OUTAGES = 5;

    /** The divisor of the reading time: reading takes at most 10 %, because an exporter runs in the measured broker. */
    private static final int REST = 10;

    /** The longest pause, so that the difference of two totals covers at most fifteen seconds. */
    private static final long LONGEST_REST_NANOS = 10_000_000_000L;

    private final ExporterAddress address;
    private final ExporterClient client;
    private final LongSupplier clock;
    private final SortedMap<Integer, String> brokers;
    private final BiConsumer<String, String> unseen;
    private final ExportedFigures figures = new ExportedFigures();
    private volatile @Nullable ExporterBrokers found;
    private Map<String, ExporterPage> pages = Map.of();
    private volatile String failure = "";
    private int outages;
    private long restsUntilNanos = Long.MIN_VALUE;

    /** {@code unseen} receives the brokers of the exporter and the reason, if the exporter is unreadable. */
    Exporter(
            ExporterAddress address,
            ExporterClient client,
            LongSupplier clock,
            SortedMap<Integer, String> brokers,
            BiConsumer<String, String> unseen) {
        this.address = address;
        this.client = client;
        this.clock = clock;
        this.brokers = brokers;
        this.unseen = unseen;
    }

    ExporterBrokers find() throws IOException {
        List<Sample> anchors = new ArrayList<>();
        client.read(address, figures::has, sample -> {
            if (figures.of(sample).stream()
                    .anyMatch(wanted -> wanted.figure().metric().equals(ANCHOR))) {
                anchors.add(sample);
            }
        });
        if (anchors.isEmpty()) {
            throw new IOException("it has no metrics of a Kafka broker: no sample has the name"
                    + " kafka_server_brokertopicmetrics_messagesin_total or a known variant of it");
        }
        if (anchors.stream().anyMatch(Sample::timed)) {
            throw new IOException(
                    "its samples have timestamps, as on a Prometheus server (/federate). This server updates values"
                            + " only every few seconds; write the addresses of the exporters instead");
        }
        // A page may have the anchor under several names, each once for each broker.
        String name = anchors.get(0).name();
        try {
            ExporterBrokers all = ExporterBrokers.of(
                    anchors.stream()
                            .filter(sample -> sample.name().equals(name))
                            .map(Sample::labels)
                            .distinct()
                            .toList(),
                    address,
                    brokers);
            found = all;
            return all;
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    void ask() {
        pages = Map.of();
        long now = clock.getAsLong();
        if (now < restsUntilNanos) {
            return;
        }
        read();
        restsUntilNanos = now + Math.min(LONGEST_REST_NANOS, REST * (clock.getAsLong() - now));
    }

    private void read() {
        Map<String, ExporterPage> read = new TreeMap<>();
        try {
            ExporterBrokers known = found == null ? find() : found;
            client.read(address, name -> figures.has(name) || JvmSample.has(name), sample -> {
                String source = known.source(sample);
                if (!source.isEmpty()) {
                    read.computeIfAbsent(source, first -> new ExporterPage()).take(sample, figures);
                }
            });
            pages = read;
            failure = "";
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void failed(String why) {
        if (failure.isEmpty() && outages++ < MOST_OUTAGES && !client.closed()) {
            Set<String> sources = sources();
            unseen.accept(sources.isEmpty() ? address.hostAndPort() : String.join(", ", sources), address + ": " + why);
        }
        failure = why;
    }

    Map<String, ExporterPage> pages() {
        return pages;
    }

    Set<String> sources() {
        ExporterBrokers known = found;
        return known == null ? Set.of() : Set.copyOf(known.sources().values());
    }

    boolean fails() {
        return !failure.isEmpty();
    }

    /**
     * Returns the number of records in these topics by broker. Brokers without these topics are omitted.
     *
     * @throws IOException if the exporter cannot be read
     */
    SortedMap<String, Long> messagesIn(Collection<String> topics) throws IOException {
        ExporterBrokers known = Objects.requireNonNull(found);
        Map<String, Set<ExporterName>> spellings = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (String topic : topics) {
            Set<ExporterName> all = new LinkedHashSet<>(ExporterName.spellings(MessagesIn.bean(topic), "Count"));
            spellings.put(topic, all);
            all.forEach(name -> names.add(name.name()));
        }
        // One value for each topic, under any number of names.
        Map<String, Map<String, Double>> counts = new TreeMap<>();
        // A separate client, because close must cancel the other one.
        try (ExporterClient once = new ExporterClient()) {
            once.read(address, names::contains, sample -> {
                String topic = sample.label(TOPIC);
                boolean counted = spellings.getOrDefault(topic, Set.of()).stream()
                        .anyMatch(name ->
                                name.name().equals(sample.name()) && ExportedFigures.fits(sample, name.labels()));
                String source = known.source(sample);
                if (counted && sample.value() >= 0 && !source.isEmpty()) {
                    counts.computeIfAbsent(source, first -> new TreeMap<>()).putIfAbsent(topic, sample.value());
                }
            });
        }
        SortedMap<String, Long> sums = new TreeMap<>();
        counts.forEach((source, of) -> sums.put(
                source, (long) of.values().stream().mapToDouble(value -> value).sum()));
        return sums;
    }

    @Override
    public void close() {
        client.close();
    }

    static final class ExporterPage {
        private final Map<BrokerFigure, Map<String, Double>> figures = new LinkedHashMap<>();
        private final Map<JvmSample, Double> jvm = new LinkedHashMap<>();

        /** Ignores repeated samples and impossible values. */
        void take(Sample sample, ExportedFigures known) {
            // Kafka's counts and times are never negative. NaN is unknown.
            if (!(sample.value() >= 0) || Double.isInfinite(sample.value())) {
                return;
            }
            known.of(sample)
                    .forEach(wanted -> figures.computeIfAbsent(wanted.figure(), figure -> new HashMap<>())
                            .putIfAbsent(wanted.attribute(), sample.value()));
            JvmSample.of(sample).ifPresent(of -> jvm.putIfAbsent(of, sample.value()));
        }

        void report(Readings into) {
            figures.forEach((figure, values) -> figure.report(values, into));
            jvm.forEach((of, value) -> of.report(value, into));
        }
    }

    /**
     * @param label label whose value is different for each broker; empty with one broker
     * @param sources names of the brokers in probe readings, by the value of that label
     */
    record ExporterBrokers(String label, SortedMap<String, String> sources) {
        private static final String BROKER = "broker-";

        /** Labels that may distinguish brokers, by collectors and configurations, the most reliable first. */
        private static final List<String> LABELS = List.of(
                "broker_id",
                "brokerid",
                "node_id",
                "kafka_id",
                "broker",
                "kubernetes_pod_name",
                "pod",
                "node",
                "hostname",
                "host",
                "instance");

        ExporterBrokers {
            sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
        }

        /** Returns the broker of a sample; empty if the sample names no broker or an unknown one. */
        String source(Sample sample) {
            return sources.getOrDefault(label.isEmpty() ? "" : sample.label(label), "");
        }

        /**
         * @param anchors samples of one metric, one for each broker
         * @param brokers addresses of the brokers of the cluster, by broker id
         * @throws IllegalArgumentException if no label distinguishes the brokers
         */
        static ExporterBrokers of(
                List<Map<String, String>> anchors, ExporterAddress address, SortedMap<Integer, String> brokers) {
            SortedMap<String, String> sources = new TreeMap<>();
            if (anchors.size() == 1) {
                sources.put("", BROKER + alone(anchors.get(0), address, brokers));
                return new ExporterBrokers("", sources);
            }
            for (String label : LABELS) {
                Set<String> values = anchors.stream()
                        .map(labels -> labels.getOrDefault(label, ""))
                        .filter(value -> !value.isEmpty())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                if (values.size() == anchors.size()) {
                    values.forEach(value -> sources.put(
                            value,
                            BROKER
                                    + number(value)
                                            .or(() -> byHost(value.replaceFirst(":\\d+$", ""), brokers))
                                            .orElse(value)));
                    return new ExporterBrokers(label, sources);
                }
            }
            throw new IllegalArgumentException("it has " + anchors.size()
                    + " brokers, but no label tells them apart; give each sample one of " + String.join(", ", LABELS)
                    + ", or list an address for each broker");
        }

        private static String alone(
                Map<String, String> labels, ExporterAddress address, SortedMap<Integer, String> brokers) {
            return LABELS.stream()
                    .flatMap(label -> number(labels.getOrDefault(label, "")).stream())
                    .findFirst()
                    .or(() -> brokers.size() == 1 ? Optional.of(String.valueOf(brokers.firstKey())) : Optional.empty())
                    .or(() -> byHost(address.host(), brokers))
                    .orElse(address.hostAndPort());
        }

        private static Optional<String> number(String value) {
            return value.matches("[0-9]{1,9}") ? Optional.of(value) : Optional.empty();
        }

        private static Optional<String> byHost(String host, SortedMap<Integer, String> brokers) {
            List<Integer> there = new ArrayList<>();
            brokers.forEach((id, at) -> {
                if (at.replaceFirst(":\\d+$", "").equalsIgnoreCase(host)) {
                    there.add(id);
                }
            });
            return there.size() == 1 ? Optional.of(String.valueOf(there.get(0))) : Optional.empty();
        }
    }

    /** The thread that reads one exporter at whole seconds and reports the activity of its brokers. */
    static final class ExporterWatch implements AutoCloseable {
        private static final long SECOND = 1_000_000_000L;
        private static final long POLL_INTERVAL = SECOND / 20;

        final Exporter exporter;
        private final long originNanos;
        private final LongSupplier clock;
        private final Consumer<Reading> out;
        private final Map<String, Readings> brokers = new HashMap<>();
        private final Thread thread;
        private volatile boolean closed;
        private volatile @Nullable RuntimeException failure;

        ExporterWatch(Exporter exporter, long originNanos, LongSupplier clock, Consumer<Reading> out) {
            this.exporter = exporter;
            this.originNanos = originNanos;
            this.clock = clock;
            this.out = out;
            this.thread = DaemonThreads.of("weir-exporter", this::run);
        }

        static ExporterWatch start(Exporter exporter, long originNanos, LongSupplier clock, Consumer<Reading> out) {
            ExporterWatch watch = new ExporterWatch(exporter, originNanos, clock, out);
            watch.thread.start();
            return watch;
        }

        private void run() {
            try {
                while (!closed) {
                    long asked = secondsAt(clock.getAsLong());
                    turn();
                    while (!closed && secondsAt(clock.getAsLong()) <= asked) {
                        LockSupport.parkNanos(POLL_INTERVAL);
                    }
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        void turn() {
            exporter.ask();
            if (!closed) {
                readings(clock.getAsLong()).forEach(out);
            }
        }

        /** The readings of an answer, for the second whose end is nearest to the answer. */
        private List<Reading> readings(long nanos) {
            long second = secondsAt(nanos + SECOND / 2) - 1;
            List<Reading> readings = new ArrayList<>();
            exporter.pages().forEach((source, page) -> {
                Readings known = brokers.get(source);
                Readings meter = known == null ? new Readings(source, true) : known;
                meter.begin(second, nanos);
                page.report(meter);
                // The first page only sets the start of the totals.
                if (known == null) {
                    brokers.put(source, meter);
                } else {
                    readings.addAll(meter.readings());
                }
            });
            return readings;
        }

        private long secondsAt(long nanos) {
            return Math.floorDiv(nanos - originNanos, SECOND);
        }

        /** Does not wait for a hanging exporter. Throws if readings could not be delivered. */
        @Override
        public void close() {
            closed = true;
            exporter.close();
            LockSupport.unpark(thread);
            DaemonThreads.join(thread, 0);
            RuntimeException cause = failure;
            if (cause != null) {
                failure = null;
                throw new IllegalStateException("handing over readings of an exporter", cause);
            }
        }
    }
}
