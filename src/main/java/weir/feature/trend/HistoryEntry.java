package weir.feature.trend;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.judge.ComparedMetric;
import weir.judge.RunDifferences;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.plan.RecordKeys;
import weir.plan.property.Property;
import weir.plan.property.Redact;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.ResultJson;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;
import weir.results.value.CapacityResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchAnswer;
import weir.results.value.TrialResult;

/**
 * The summary of a run for trends: its figures, and the facts that can explain changes of the figures. A {@link
 * History} keeps the summary after the run folder is deleted.
 *
 * @param run the name of the run folder
 * @param startedAt the time of the first trial in ISO-8601; empty without a trial
 * @param state the {@link weir.results.RunState#word} of the run's state
 * @param machine the facts of the machine, and the properties that the user chose
 * @param variants the variants with all their settings
 * @param figures one value for each trial, by variant and metric; the primary metric of a variant comes first
 */
public record HistoryEntry(
        int version,
        String run,
        String name,
        String startedAt,
        String state,
        boolean shortened,
        String weir,
        SortedMap<String, String> labels,
        Machine machine,
        CanaryResults canaries,
        List<RequestedExperiment.Variant> variants,
        Map<String, Map<String, List<Double>>> figures) {
    public static final int VERSION = 1;

    private static final Pattern RUN = Pattern.compile(RunFolder.NAME);

    public HistoryEntry {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        variants = List.copyOf(variants);
        Map<String, Map<String, List<Double>>> copy = new LinkedHashMap<>();
        figures.forEach((variant, metrics) -> {
            Map<String, List<Double>> own = new LinkedHashMap<>();
            metrics.forEach((metric, values) -> own.put(metric, List.copyOf(values)));
            copy.put(variant, Collections.unmodifiableMap(own));
        });
        figures = Collections.unmodifiableMap(copy);
        if (!names(run, name)) {
            throw new IllegalArgumentException("'" + run + "' is not a run of '" + name + "'");
        }
        if (Stream.of(RunState.values()).noneMatch(known -> known.word().equals(state))) {
            throw new IllegalArgumentException("'" + state + "' is not a state of a run");
        }
        RunLabels unused = new RunLabels(labels);
        figures.forEach((variant, metrics) -> {
            if (metrics.isEmpty()) {
                throw new IllegalArgumentException("'" + variant + "' has no figure");
            }
            metrics.forEach((metric, values) -> {
                if (values.isEmpty() || values.stream().anyMatch(value -> !(value > 0) || value.isInfinite())) {
                    throw new IllegalArgumentException(
                            "the figures of " + metric + " must be above 0, one for each trial, found " + values);
                }
            });
        });
    }

    /** The summary in the folder; made from the folder if this Weir cannot read it. */
    public static HistoryEntry of(RunFolder folder) {
        try {
            return folder.summarised() ? read(folder.summary()) : made(folder);
        } catch (UnreadableRunException e) {
            // The file is damaged or from another version. Weir can make it again.
            return made(folder);
        }
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
                VERSION,
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
                                .filter(HistoryEntry::chosen)
                                .map(property -> RecordKeys.with(
                                        property, Map.of("requested", "", "byDefault", "", "remark", "")))
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
            put(
                    own,
                    CapacityResult.METRIC,
                    Stream.ofNullable(run.conclusion().capacities().get(variant.name())),
                    CapacityResult::rate);
            for (SearchKind kind : Features.each(SearchKind.class)) {
                put(
                        own,
                        kind.name(),
                        kind.figures(run.conclusion().found()).stream()
                                .filter(answer -> answer.of().equals(variant.name())),
                        SearchAnswer::value);
            }
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

    private static void measured(List<TrialResult> trials, Map<String, List<Double>> figures) {
        for (ComparedMetric metric : ComparedMetric.of(trials, trials)) {
            put(figures, metric.name(), DoubleStream.of(metric.values(trials)).boxed(), value -> value);
        }
        // Additional figures: a kept rate says nothing until the load misses it.
        if (trials.stream().allMatch(trial -> trial.steps().size() < 2)) {
            put(figures, "acked/s", trials.stream(), trial -> trial.figures().ackedPerSecond());
            put(figures, "received/s", trials.stream(), trial -> trial.figures().receivedPerSecond());
            for (LatencyKind kind : List.of(LatencyKind.RESPONSE, LatencyKind.E2E)) {
                List<LatencyResult> latencies = trials.stream()
                        .map(trial -> trial.figures().latency(kind))
                        .toList();
                put(figures, kind.word() + " p50", latencies.stream(), LatencyResult::p50);
                put(figures, kind.word() + " p99", latencies.stream(), LatencyResult::p99);
                if (latencies.stream().noneMatch(latency -> Latency.thin(latency.count(), 99.9))) {
                    put(figures, kind.word() + " p99.9", latencies.stream(), LatencyResult::p999);
                }
            }
        }
        put(figures, NumberFormat.CPU, trials.stream(), TrialResult::cpuMicros);
    }

    private static <T> void put(
            Map<String, List<Double>> figures, String metric, Stream<T> of, Function<T, @Nullable Double> figure) {
        List<Double> known = of.map(figure)
                .filter(value -> value != null && value > 0 && Double.isFinite(value))
                .toList();
        if (!known.isEmpty()) {
            figures.putIfAbsent(metric, known);
        }
    }

    public static HistoryEntry read(Path file) {
        return ResultJson.read(file, HistoryEntry.class, HistoryEntry::version, VERSION);
    }

    public static boolean names(String run, String experiment) {
        return RUN.matcher(run).matches() && run.endsWith("-" + experiment);
    }

    /** Returns the Kafka release of a variant with these settings. */
    public String kafka(Map<String, String> settings) {
        return settings.getOrDefault("cluster.kafka", machine.facts().getOrDefault("kafka", NumberFormat.MISSING));
    }

    public String toJson() {
        return ResultJson.line(this);
    }

    /** Returns a name that is unique to a run on any machine. A resumed run keeps its name. */
    String identity(String started) {
        byte[] own = (run + " " + started).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(own).toString().substring(0, 8);
    }
}
