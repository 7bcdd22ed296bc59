package weir.feature.imports;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import weir.cli.WeirVersion;
import weir.host.OwnedFolders;
import weir.io.Io;
import weir.measure.LatencyKind;
import weir.measure.Median;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.UnreadableRunException;
import weir.results.value.Caveat;
import weir.results.value.Conclusion;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;
import weir.time.MachineClock;

/**
 * A run that another tool measured. Everything that its source does not contain is absent.
 *
 * @param facts facts about the run, by the names of the source
 * @param settings settings of the load, by Weir's names
 */
record ImportedRun(
        String tool,
        String name,
        SortedMap<String, String> facts,
        SortedMap<String, String> settings,
        List<Measured> measured) {
    static final CaveatType WARM_UP_UNKNOWN = CaveatType.named("warm-up-unknown");
    static final CaveatType LATENCY_FROM_SEND = CaveatType.named("latency-from-send");
    static final CaveatType SAMPLES_UNKNOWN = CaveatType.named("samples-unknown");
    static final CaveatType PERCENTILES_AVERAGED = CaveatType.named("percentiles-averaged");
    static final CaveatType LATENCY_ROUNDED = CaveatType.named("latency-rounded");

    private static final String VARIANT = "base";
    private static final int MOST_ADVICE = 3;

    ImportedRun {
        facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        measured = List.copyOf(measured);
    }

    /**
     * One measurement of the tool, which becomes a trial.
     *
     * @param seconds the length of the measurement; 0 if unknown
     * @param spectrum the points of all latency distributions
     * @param losses sentences about failed messages
     */
    record Measured(
            double seconds,
            Figures figures,
            List<TrialFolder.Point> spectrum,
            List<Caveat> caveats,
            List<String> losses) {
        Measured {
            spectrum = List.copyOf(spectrum);
            caveats = List.copyOf(caveats);
            losses = List.copyOf(losses);
        }
    }

    /** True if both runs may be repeats of one load. */
    boolean repeats(ImportedRun other) {
        return tool.equals(other.tool) && facts.equals(other.facts) && settings.equals(other.settings);
    }

    ImportedRun with(List<Measured> all) {
        return new ImportedRun(tool, name, facts, settings, all);
    }

    /**
     * Makes the folder of the run, completely or not at all.
     *
     * @param sources the texts of the sources, by the names of their files in the folder
     */
    RunFolder write(Path runs, Map<String, String> sources, String command) {
        Path part = Io.attempt("making a folder in " + runs, () -> {
            Files.createDirectories(runs);
            return Files.createTempDirectory(runs, ".import-");
        });
        try {
            RunFolder made = RunFolder.create(
                    part,
                    MachineClock.WALL.instant(),
                    "# " + tool + " measured this run. The run has no experiment file.\n",
                    asked(command),
                    path -> {});
            Path target = runs.resolve(made.path().getFileName());
            if (Files.exists(target)) {
                throw new UnreadableRunException(target + ": exists; run the command again a second later");
            }
            Map<String, String> shown = new LinkedHashMap<>(Map.of(Machine.TOOL, tool));
            shown.putAll(facts);
            made.machine(new Machine(shown, Map.of(), List.of()));
            sources.forEach(made::put);
            List<TrialResult> trials = trials();
            for (int i = 0; i < trials.size(); i++) {
                Measured one = measured.get(i);
                TrialWriter.imported(made.path().resolve("trials"), trials.get(i), one.spectrum, one.caveats);
            }
            made.conclude(concluded(target, trials));
            Io.attempt("making " + target, () -> Files.move(made.path(), target, StandardCopyOption.ATOMIC_MOVE));
            return RunFolder.open(target);
        } finally {
            OwnedFolders.delete(part);
        }
    }

    private RequestedExperiment asked(String command) {
        List<Setting> known = settings.entrySet().stream()
                .map(setting -> new Setting(setting.getKey(), setting.getValue(), tool))
                .toList();
        var variant = new RequestedExperiment.Variant(VARIANT, measured.size(), new TreeMap<>(), known);
        String weir = WeirVersion.number();
        return new RequestedExperiment(
                weir, command, name, "", 0, false, List.of(variant), List.of(), new TreeMap<>(), List.of());
    }

    private List<TrialResult> trials() {
        List<TrialResult> trials = new ArrayList<>();
        for (Measured one : measured) {
            trials.add(new TrialResult(
                    trials.size() + 1,
                    VARIANT,
                    trials.size() + 1,
                    "",
                    one.seconds,
                    settings,
                    one.figures,
                    List.of(),
                    List.of(),
                    GeneratorResult.NONE,
                    new TreeMap<>(),
                    new TreeMap<>(),
                    List.of(),
                    List.of(),
                    null,
                    List.of()));
        }
        return trials;
    }

    private RunResult concluded(Path target, List<TrialResult> trials) {
        List<Caveat> caveats = Caveat.severestFirst(
                measured.stream().flatMap(one -> one.caveats.stream()).toList());
        List<String> advice = caveats.stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .map(Caveat::advice)
                .distinct()
                .limit(MOST_ADVICE)
                .toList();
        Conclusion conclusion = new Conclusion(
                answer(trials),
                scope(trials),
                List.of(),
                measured.stream().flatMap(one -> one.losses.stream()).distinct().toList(),
                advice,
                List.of(),
                SearchResults.NONE);
        return RecordKeys.with(
                RunResult.NONE,
                Map.of(
                        "name", name,
                        "run", target.toString(),
                        "report", target.resolve("report.html").toString(),
                        "caveats", caveats,
                        "trials", trials,
                        "conclusion", conclusion));
    }

    private String answer(List<TrialResult> trials) {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put(
                "acked",
                NumberFormat.rate(Median.of(trials, trial -> trial.figures().ackedPerSecond())));
        figures.put(
                "received",
                NumberFormat.rate(Median.of(trials, trial -> trial.figures().receivedPerSecond())));
        for (LatencyKind kind : List.of(LatencyKind.SERVICE, LatencyKind.E2E)) {
            LatencyResult latency =
                    LatencyResult.median(trials, trial -> trial.figures().latency(kind));
            figures.put(kind.word() + " p99", NumberFormat.latency(latency, 99));
        }
        figures.values().removeIf(NumberFormat.MISSING::equals);
        return tool + " measured "
                + NumberFormat.listed(figures.entrySet().stream()
                        .map(figure -> figure.getKey() + " " + figure.getValue())
                        .toList())
                + ".";
    }

    private String scope(List<TrialResult> trials) {
        String size = settings.getOrDefault("load.value.size", "");
        double seconds = trials.get(0).seconds();
        return String.join(
                " · ",
                Stream.of(
                                settings.getOrDefault("load.workload", ""),
                                size.isEmpty() ? "" : "values of " + size,
                                seconds > 0 ? "for " + NumberFormat.seconds(seconds) : "",
                                trials.size() == 1 ? "one trial" : trials.size() + " trials",
                                "unknown machine")
                        .filter(part -> !part.isEmpty())
                        .toList());
    }
}
