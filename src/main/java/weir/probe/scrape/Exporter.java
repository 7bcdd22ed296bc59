package weir.probe.scrape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import weir.probe.exporter.ExporterName;

/** One exporter, and what it told last. Owned by one thread, but for {@link #messagesIn}, {@link #sources} and {@link #close}. */
final class Exporter implements AutoCloseable {
    /** The figure that every broker has once. */
    private static final String ANCHOR = "messages.in.per.s";

    private static final String TOPIC_BEAN = "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=";
    private static final String TOPIC = "topic";
    /** An exporter that comes and goes is told of so many times. */
    private static final int MOST_OUTAGES = 5;

    /** An exporter works in its broker, which is measured: it works a tenth of the time at the most. */
    private static final int REST = 10;

    /** A difference of totals is made over no more than fifteen seconds. */
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

    /** @param unseen hears of an exporter that cannot be read any more: what it tells of, and why */
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

    /** Finds out which brokers it tells of. */
    ExporterBrokers find() throws IOException {
        List<Sample> anchors = new ArrayList<>();
        client.read(address, figures::has, sample -> {
            if (figures.of(sample).stream()
                    .anyMatch(wanted -> wanted.figure().metric().equals(ANCHOR))) {
                anchors.add(sample);
            }
        });
        if (anchors.isEmpty()) {
            throw new IOException("it tells of no Kafka broker: there is no"
                    + " kafka_server_brokertopicmetrics_messagesin_total, nor any other name of it");
        }
        if (anchors.stream().anyMatch(Sample::timed)) {
            throw new IOException("its samples have times of their own, as those that a Prometheus has collected before"
                    + " (/federate): the same values stay for many seconds; give the exporters themselves");
        }
        // A page may have several names of it, each of which is there once for each broker.
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

    /** Asks it where it has rested for long enough; what it tells is there until the next time. */
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
        Map<String, ExporterPage> told = new TreeMap<>();
        try {
            ExporterBrokers known = found == null ? find() : found;
            client.read(address, name -> figures.has(name) || JvmSample.has(name), sample -> {
                String source = known.source(sample);
                if (!source.isEmpty()) {
                    told.computeIfAbsent(source, first -> new ExporterPage()).take(sample, figures);
                }
            });
            pages = told;
            failure = "";
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    /** Notes that it cannot be read, and says so when it could before. */
    private void failed(String why) {
        if (failure.isEmpty() && outages++ < MOST_OUTAGES && !client.closed()) {
            Set<String> sources = sources();
            unseen.accept(sources.isEmpty() ? address.hostAndPort() : String.join(", ", sources), address + ": " + why);
        }
        failure = why;
    }

    /** The pages of its brokers, by their sources; none where it was not asked, or did not answer. */
    Map<String, ExporterPage> pages() {
        return pages;
    }

    /** The brokers that it tells of, as far as it is known. */
    Set<String> sources() {
        ExporterBrokers known = found;
        return known == null ? Set.of() : Set.copyOf(known.sources().values());
    }

    /** True when it could not be read when it was last asked. */
    boolean fails() {
        return !failure.isEmpty();
    }

    /**
     * The records that came into topics as each of its brokers counted them; a broker that tells of none of them is left out.
     *
     * @throws IOException when it cannot be read
     */
    SortedMap<String, Long> messagesIn(Collection<String> topics) throws IOException {
        ExporterBrokers known = Objects.requireNonNull(found);
        Map<String, Set<ExporterName>> spellings = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (String topic : topics) {
            Set<ExporterName> all = new LinkedHashSet<>(ExporterName.spellings(bean(topic), "Count"));
            spellings.put(topic, all);
            all.forEach(name -> names.add(name.name()));
        }
        // One value of a topic, however many names it has.
        Map<String, Map<String, Double>> counts = new TreeMap<>();
        // One of its own, so that closing finds the other.
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

    private static ObjectName bean(String topic) {
        try {
            return new ObjectName(TOPIC_BEAN + topic);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("'" + topic + "' is no topic", e);
        }
    }

    /** Ends what it is asked for, and all that will be. */
    @Override
    public void close() {
        client.close();
    }
}
