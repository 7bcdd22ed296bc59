package weir.feature.metrics;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import weir.feature.metrics.Exporter.ExporterWatch;
import weir.feature.metrics.ExporterClient.ExporterAddress;
import weir.io.Io;
import weir.measure.Reading;
import weir.run.lab.GivenMetrics;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** The readers of the exporters of external brokers. Each exporter is read at most once a second, on its own thread. */
final class Scrapes implements GivenMetrics {
    private static final String BROKER = "broker-";

    private record Found(Set<String> sources, String why) {}

    @Override
    public SortedMap<String, String> refused(Collection<String> urls, SortedMap<Integer, String> brokers) {
        Map<String, CompletableFuture<Found>> asked = new TreeMap<>();
        for (String url : urls) {
            asked.computeIfAbsent(url, one -> onThreadOfItsOwn(() -> found(ExporterAddress.of(one), brokers)));
        }
        SortedMap<String, String> refused = new TreeMap<>();
        Map<String, String> exporters = new HashMap<>();
        asked.forEach((url, answer) -> {
            Found found = answer.join();
            ExporterAddress address = ExporterAddress.of(url);
            String why = found.why();
            for (String source : found.sources()) {
                String other = exporters.putIfAbsent(source, address.toString());
                if (other != null && why.isEmpty()) {
                    why = "it has the metrics of " + source + ", which '" + other
                            + "' also has; list one address for each broker";
                }
            }
            if (!why.isEmpty()) {
                refused.put(url, "'" + address + "' cannot be read: " + why + "; test it with curl, or remove it");
            }
        });
        return refused;
    }

    private static Found found(ExporterAddress address, SortedMap<Integer, String> brokers) {
        try (ExporterClient client = new ExporterClient()) {
            Set<String> sources =
                    new TreeSet<>(new Exporter(address, client, MachineClock.STEADY, brokers, (of, why) -> {})
                            .find()
                            .sources()
                            .values());
            Set<String> others = new TreeSet<>(sources);
            others.removeIf(source -> !source.matches("broker-[0-9]+"));
            others.removeAll(sources(brokers));
            return others.isEmpty()
                    ? new Found(sources, "")
                    : new Found(
                            Set.of(),
                            "it has the metrics of " + String.join(", ", others) + ", but the cluster has "
                                    + String.join(", ", sources(brokers)));
        } catch (IOException e) {
            return new Found(Set.of(), String.valueOf(e.getMessage()));
        }
    }

    private static Set<String> sources(SortedMap<Integer, String> brokers) {
        Set<String> sources = new TreeSet<>();
        brokers.keySet().forEach(id -> sources.add(BROKER + id));
        return sources;
    }

    private static <T> CompletableFuture<T> onThreadOfItsOwn(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> DaemonThreads.start("weir-exporter-once", task));
    }

    @Override
    public Scraping start(
            List<String> urls,
            SortedMap<Integer, String> brokers,
            long originNanos,
            LongSupplier clock,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen) {
        List<ExporterWatch> watches = new ArrayList<>();
        for (String url : new TreeSet<>(urls)) {
            Exporter exporter = new Exporter(ExporterAddress.of(url), new ExporterClient(), clock, brokers, unseen);
            watches.add(ExporterWatch.start(exporter, originNanos, clock, out));
        }
        return new ExporterScraping(watches, sources(brokers));
    }

    private record ExporterScraping(List<ExporterWatch> watches, Set<String> sources) implements Scraping {
        @Override
        public OptionalLong messagesIn(Collection<String> topics) {
            List<Exporter> exporters =
                    watches.stream().map(watch -> watch.exporter).toList();
            Set<String> asked = new TreeSet<>();
            exporters.forEach(exporter -> asked.addAll(exporter.sources()));
            if (exporters.isEmpty() || exporters.stream().anyMatch(Exporter::fails) || !asked.equals(sources)) {
                return OptionalLong.empty();
            }
            List<CompletableFuture<SortedMap<String, Long>>> answers = exporters.stream()
                    .map(exporter ->
                            onThreadOfItsOwn(() -> Io.attempt("counting records", () -> exporter.messagesIn(topics))))
                    .toList();
            SortedMap<String, Long> counts = new TreeMap<>();
            try {
                // Two exporters of one broker report the same count.
                answers.forEach(answer -> answer.join().forEach((source, count) -> counts.putIfAbsent(source, count)));
            } catch (CompletionException e) {
                // Without the count of each broker, the sum is unknown.
                return OptionalLong.empty();
            }
            return counts.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(
                            counts.values().stream().mapToLong(count -> count).sum());
        }

        @Override
        public void close() {
            RuntimeException first = null;
            for (ExporterWatch watch : watches) {
                try {
                    watch.close();
                } catch (RuntimeException e) {
                    first = first == null ? e : first;
                }
            }
            watches.clear();
            if (first != null) {
                throw first;
            }
        }
    }
}
