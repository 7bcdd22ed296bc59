package weir.feature.site;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import weir.feature.trend.HistoryEntry;
import weir.judge.ComparisonKey;
import weir.measure.Welch;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;

/**
 * A published result: the summary of its run, its answer, and its variants.
 *
 * @param doubts the caveats that make the result suspect or invalid
 */
record PublishedResult(
        HistoryEntry summary, String question, String answer, List<String> doubts, List<KeyedVariant> variants) {
    private static final List<Map.Entry<String, String>> MACHINE =
            List.of(Map.entry("cpu.model", ""), Map.entry("cpu.cores", " cores"), Map.entry("memory.mib", " MiB"));

    PublishedResult {
        doubts = List.copyOf(doubts);
        variants = List.copyOf(variants);
    }

    /** Reads a result. Its folder must have the name of its run, which begins with the time of the run. */
    static PublishedResult of(RunFolder folder) {
        String name = folder.path().toAbsolutePath().normalize().getFileName().toString();
        RequestedExperiment asked = folder.asked();
        if (!HistoryEntry.names(name, asked.name()) || !timed(name)) {
            throw new UnreadableRunException(folder.path()
                    + ": does not have the name of its run, such as 20261127-105521-" + asked.name()
                    + "; rename the folder");
        }
        HistoryEntry summary = HistoryEntry.of(folder);
        if (!summary.run().equals(name)) {
            throw new UnreadableRunException(folder.summary() + ": is the summary of another run; delete it");
        }
        RunResult result = folder.concluded();
        Machine machine = folder.machine();
        List<KeyedVariant> variants = asked.variants().stream()
                .map(variant -> KeyedVariant.of(summary, variant, ComparisonKey.of(asked, variant, machine)))
                .toList();
        return new PublishedResult(
                summary, asked.question(), result.conclusion().answer(), result.doubts(), variants);
    }

    private static boolean timed(String run) {
        try {
            return RunFolder.time(run).isAfter(Instant.EPOCH);
        } catch (DateTimeException e) {
            return false;
        }
    }

    static String address(String run) {
        return "results/" + run + "/index.html";
    }

    String run() {
        return summary.run();
    }

    List<String> keys() {
        return variants.stream().map(variant -> variant.key().id()).distinct().toList();
    }

    List<String> releases() {
        return variants.stream().map(KeyedVariant::kafka).distinct().toList();
    }

    /** Returns the processor, its cores and the memory, as far as they are known. */
    String machine() {
        Map<String, String> facts = summary.machine().facts();
        return MACHINE.stream()
                .filter(part -> facts.containsKey(part.getKey()))
                .map(part -> facts.get(part.getKey()) + part.getValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * One variant of a result. Two variants may share an axis only if their keys have the same id.
     *
     * @param figures the geometric mean over the trials, by metric; the primary metric comes first
     */
    record KeyedVariant(
            HistoryEntry summary,
            String name,
            ComparisonKey key,
            SortedMap<String, String> settings,
            Map<String, Double> figures) {
        static KeyedVariant of(HistoryEntry summary, RequestedExperiment.Variant asked, ComparisonKey key) {
            Map<String, Double> figures = new LinkedHashMap<>();
            summary.figures()
                    .getOrDefault(asked.name(), Map.of())
                    .forEach((metric, trials) -> figures.put(
                            metric,
                            Welch.geometricMean(
                                    trials.stream().mapToDouble(value -> value).toArray())));
            return new KeyedVariant(summary, asked.name(), key, asked.values(), figures);
        }

        String run() {
            return summary.run();
        }

        /** Returns the name of the line that this variant has in a chart. */
        String series() {
            return summary.name() + " " + name;
        }

        String kafka() {
            return summary.kafka(settings);
        }

        boolean suspect() {
            return summary.state().equals(RunState.SUSPECT.word());
        }

        /** True if charts show the figures. */
        boolean drawn() {
            return !figures.isEmpty() && (suspect() || summary.state().equals(RunState.VALID.word()));
        }
    }
}
