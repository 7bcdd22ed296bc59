package weir.feature.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.ComparedMetric;
import weir.judge.RunDifferences;
import weir.measure.Latency;
import weir.plan.property.Property;
import weir.plan.property.Redact;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;
import weir.results.value.CapacityResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.PartitionsResult;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** Makes the summaries of runs from their folders. */
public final class HistoryEntries {
    private HistoryEntries() {}

    /** The summary stored in the folder; if this Weir cannot read one, the summary made from the folder. */
    public static HistoryEntry of(RunFolder folder) {
        if (folder.summarised()) {
            try {
                return HistoryEntry.read(folder.summary());
            } catch (UnreadableRunException e) {
                // The file is from another Weir version or damaged, and can be made again.
                return made(folder);
            }
        }
        return made(folder);
    }

    public static HistoryEntry write(RunFolder folder) {
        HistoryEntry summary = made(folder);
        folder.put(folder.summary().getFileName().toString(), summary.toJson() + "\n");
        return summary;
    }

    private static HistoryEntry made(RunFolder folder) {
        RequestedExperiment asked = folder.asked();
        Optional<RunResult> result = folder.result();
        return new HistoryEntry(
                HistoryEntry.VERSION,
                folder.path().toAbsolutePath().normalize().getFileName().toString(),
                asked.name(),
                result.stream()
                        .flatMap(run -> run.trials().stream())
                        .map(TrialResult::startedAt)
                        .min(String::compareTo)
                        .orElse(""),
                result.map(one -> one.state(asked)).orElse(RunState.UNFINISHED).word(),
                asked.shortened(),
                asked.weir(),
                folder.labels().labels(),
                chosen(folder.machine()),
                folder.canaries(),
                asked.variants(),
                result.map(run -> figures(asked, run)).orElse(Map.of()));
    }

    private static Machine chosen(Machine machine) {
        Map<String, List<Property>> properties = new LinkedHashMap<>();
        machine.properties()
                .forEach((variant, all) -> properties.put(
                        variant,
                        all.stream()
                                .filter(HistoryEntries::chosen)
                                .map(property -> new Property(
                                        property.of(),
                                        property.name(),
                                        "",
                                        property.effective(),
                                        "",
                                        property.source()))
                                .toList()));
        return new Machine(RunDifferences.lasting(machine.facts()), properties, machine.hosts());
    }

    private static boolean chosen(Property property) {
        return property.source() != Property.Source.DEFAULT
                && property.source() != Property.Source.WEIR
                && RunDifferences.lasting(property.name())
                && !Redact.secret(property.name());
    }

    private static Map<String, Map<String, List<Double>>> figures(RequestedExperiment asked, RunResult run) {
        Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();
        for (RequestedExperiment.Variant variant : asked.variants()) {
            Map<String, List<Double>> own = new LinkedHashMap<>();
            searched(run, variant.name(), own);
            List<TrialResult> repeats = run.trials().stream()
                    .filter(trial -> trial.variant().equals(variant.name()))
                    .toList();
            if (!repeats.isEmpty()) {
                measured(repeats, own);
            }
            if (!own.isEmpty()) {
                figures.put(variant.name(), own);
            }
        }
        return figures;
    }

    private static void searched(RunResult run, String variant, Map<String, List<Double>> figures) {
        @Nullable CapacityResult capacity = run.conclusion().capacities().get(variant);
        if (capacity != null && capacity.rate() != null) {
            put(figures, CapacityResult.METRIC, new double[] {capacity.rate()});
        }
        for (PartitionsResult answer : run.conclusion().partitions()) {
            if (answer.of().equals(variant) && answer.partitions() != null) {
                put(figures, PartitionsResult.METRIC, new double[] {answer.partitions()});
            }
        }
    }

    private static void measured(List<TrialResult> trials, Map<String, List<Double>> figures) {
        for (ComparedMetric metric : ComparedMetric.of(trials, trials)) {
            put(figures, metric.name(), metric.values(trials));
        }
        // Figures that may be watched in addition: a kept rate says nothing until it is missed.
        if (trials.stream().allMatch(trial -> trial.steps().size() < 2)) {
            put(figures, "acked/s", trials, trial -> trial.figures().rate(RateKind.ACKED));
            put(figures, "received/s", trials, trial -> trial.figures().rate(RateKind.RECEIVED));
            latencies(figures, "response", trials, trial -> trial.figures().response());
            latencies(figures, "e2e", trials, trial -> trial.figures().e2e());
        }
        put(figures, NumberFormat.CPU, trials, TrialResult::cpuMicros);
    }

    private static void latencies(
            Map<String, List<Double>> figures,
            String name,
            List<TrialResult> trials,
            Function<TrialResult, LatencyResult> of) {
        put(figures, name + " p50", trials, trial -> of.apply(trial).p50());
        put(figures, name + " p99", trials, trial -> of.apply(trial).p99());
        if (trials.stream().noneMatch(trial -> Latency.thin(of.apply(trial).count(), 99.9))) {
            put(figures, name + " p99.9", trials, trial -> of.apply(trial).p999());
        }
    }

    private static void put(
            Map<String, List<Double>> figures,
            String metric,
            List<TrialResult> trials,
            Function<TrialResult, @Nullable Double> of) {
        double[] values = trials.stream()
                .map(of)
                .mapToDouble(value -> value == null ? Double.NaN : value)
                .toArray();
        put(figures, metric, values);
    }

    private static void put(Map<String, List<Double>> figures, String metric, double[] values) {
        List<Double> known = Arrays.stream(values)
                .filter(value -> value > 0 && Double.isFinite(value))
                .boxed()
                .toList();
        if (!known.isEmpty()) {
            figures.putIfAbsent(metric, new ArrayList<>(known));
        }
    }
}
