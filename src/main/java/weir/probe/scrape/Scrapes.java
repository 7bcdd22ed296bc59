package weir.probe.scrape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.probe.Probe;
import weir.probe.Reading;
import weir.probe.Readings;
import weir.probe.Sampler;

/** All exporters of a cluster, each asked once a second at the most, on a thread of its own, until closed. */
public final class Scrapes implements AutoCloseable {
    private static final String KAFKA = "kafka.*";

    private final List<Exporter> exporters = new ArrayList<>();
    private final List<Sampler> samplers = new ArrayList<>();
    private final int brokers;

    private Scrapes(int brokers) {
        this.brokers = brokers;
    }

    /** Why the metrics at an address cannot be read; empty where they can. */
    public static Optional<String> refused(String url) {
        ExporterAddress address = ExporterAddress.of(url);
        try (ExporterClient client = new ExporterClient()) {
            new Exporter(address, client, System::nanoTime, new TreeMap<>(), (of, why) -> {}).find();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "'" + address + "' cannot be read: " + e.getMessage() + "; look at it with curl, or leave it out");
        }
    }

    /**
     * Returns at once: an exporter that does not answer is asked again.
     *
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     * @param unseen hears of brokers whose exporter cannot be read any more, and why
     */
    public static Scrapes start(
            List<String> urls,
            SortedMap<Integer, String> brokers,
            long originNanos,
            LongSupplier clock,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen) {
        Scrapes scrapes = new Scrapes(brokers.size());
        for (String url : urls) {
            ExporterAddress address = ExporterAddress.of(url);
            Exporter exporter = new Exporter(address, new ExporterClient(), clock, brokers, unseen);
            Sampler sampler = Sampler.start(originNanos, clock, out);
            sampler.watch(address.hostAndPort(), List.of(new Finding(exporter, sampler)));
            scrapes.exporters.add(exporter);
            scrapes.samplers.add(sampler);
        }
        return scrapes;
    }

    /** A look that finds out which brokers an exporter tells of, and makes room for theirs. */
    private record Finding(Exporter exporter, Sampler sampler) implements Probe {
        @Override
        public void look(Readings into) {
            try {
                boolean first = true;
                for (String source : exporter.find().sources().values()) {
                    sampler.watch(source, List.of(new OneBroker(exporter, source, first)));
                    first = false;
                }
                into.gone("its brokers are known");
            } catch (IOException e) {
                exporter.failed(String.valueOf(e.getMessage()));
                into.absent(KAFKA, exporter.failure());
            }
        }
    }

    /**
     * A broker of an exporter.
     *
     * @param first whether it is the one for which the exporter is asked
     */
    private record OneBroker(Exporter exporter, String source, boolean first) implements Probe {
        @Override
        public void look(Readings into) {
            if (first) {
                exporter.ask();
            }
            @Nullable ExporterPage page = exporter.page(source);
            if (page == null && !exporter.rests()) {
                into.absent(
                        KAFKA, exporter.failure().isEmpty() ? "its exporter tells nothing of it" : exporter.failure());
            } else if (page != null) {
                page.give(into);
            }
        }
    }

    /** The records that came into topics as all brokers together counted them; empty where one of them is not asked. */
    public OptionalLong messagesIn(Collection<String> topics) {
        if (exporters.stream().mapToInt(Exporter::tellsOf).sum() < brokers) {
            return OptionalLong.empty();
        }
        long sum = 0;
        boolean told = false;
        for (Exporter exporter : exporters) {
            OptionalLong own = exporter.messagesIn(topics);
            told |= own.isPresent();
            sum += own.orElse(0);
        }
        return told ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    /** Does not wait for an exporter that hangs. */
    @Override
    public void close() {
        exporters.forEach(Exporter::close);
        samplers.forEach(Sampler::close);
        samplers.clear();
    }
}
