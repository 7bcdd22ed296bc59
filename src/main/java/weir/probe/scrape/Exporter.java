package weir.probe.scrape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import weir.probe.exporter.ExporterName;

/** One exporter, and what it told last. Owned by one thread, but for {@link #messagesIn} and {@link #close}. */
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
    private Map<String, ExporterPage> pages = new HashMap<>();
    private String failure = "";
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
        List<Map<String, String>> anchors = new ArrayList<>();
        client.read(address, figures::has, sample -> {
            if (figures.of(sample).stream()
                    .anyMatch(wanted -> wanted.figure().metric().equals(ANCHOR))) {
                anchors.add(sample.labels());
            }
        });
        if (anchors.isEmpty()) {
            throw new IOException("it tells of no Kafka broker: there is no"
                    + " kafka_server_brokertopicmetrics_messagesin_total, nor any other name of it");
        }
        try {
            ExporterBrokers all = ExporterBrokers.of(anchors, address, brokers);
            found = all;
            return all;
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Asks it where it has rested for long enough; what it tells is there until the next time. */
    void ask() {
        pages = new HashMap<>();
        long now = clock.getAsLong();
        if (now < restsUntilNanos) {
            return;
        }
        read();
        restsUntilNanos = now + Math.min(LONGEST_REST_NANOS, REST * (clock.getAsLong() - now));
    }

    /** True while it is not asked, so that it costs its broker no more. */
    boolean rests() {
        return pages.isEmpty() && failure.isEmpty();
    }

    private void read() {
        Map<String, ExporterPage> told = new HashMap<>();
        try {
            ExporterBrokers known = found == null ? find() : found;
            client.read(
                    address,
                    name -> figures.has(name) || JvmSample.has(name),
                    sample -> told.computeIfAbsent(known.source(sample), source -> new ExporterPage())
                            .take(sample, figures));
            pages = told;
            failure = "";
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    /** Notes that it cannot be read, and says so when it could before. */
    void failed(String why) {
        if (failure.isEmpty() && outages++ < MOST_OUTAGES && !client.closed()) {
            ExporterBrokers known = found;
            String of = known == null
                    ? address.hostAndPort()
                    : String.join(", ", known.sources().values());
            unseen.accept(of, address + ": " + why);
        }
        failure = why;
    }

    /** The reason why it was not read when it was last asked; empty when it was. */
    String failure() {
        return failure;
    }

    @Nullable ExporterPage page(String source) {
        return pages.get(source);
    }

    /** The records that came into topics as its brokers counted them; empty where it does not tell. */
    OptionalLong messagesIn(Collection<String> topics) {
        Set<String> names = new HashSet<>();
        for (ExporterName name : ExporterName.spellings(bean("any"), "Count")) {
            names.add(name.name());
        }
        Set<String> ours = Set.copyOf(topics);
        double[] sum = {0};
        int[] seen = {0};
        // One of its own, so that closing finds the other.
        try (ExporterClient once = new ExporterClient()) {
            once.read(address, names::contains, sample -> {
                String topic = sample.label(TOPIC);
                boolean counts = ours.contains(topic)
                        && ExporterName.spellings(bean(topic), "Count").stream()
                                .anyMatch(name -> name.name().equals(sample.name())
                                        && ExportedFigures.fits(sample, name.labels()));
                if (counts && sample.value() >= 0) {
                    sum[0] += sample.value();
                    seen[0]++;
                }
            });
        } catch (IOException e) {
            // It has just been said that it cannot be read, or it will be: nobody knows its count.
            return OptionalLong.empty();
        }
        return seen[0] == 0 ? OptionalLong.empty() : OptionalLong.of((long) sum[0]);
    }

    private static ObjectName bean(String topic) {
        try {
            return new ObjectName(TOPIC_BEAN + topic);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("'" + topic + "' is no topic", e);
        }
    }

    int tellsOf() {
        ExporterBrokers known = found;
        return known == null ? 0 : known.sources().size();
    }

    /** Ends what it is asked for, and all that will be. */
    @Override
    public void close() {
        client.close();
    }
}
