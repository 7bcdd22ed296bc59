package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.LoadCurve;
import weir.judge.answer.Conclusions;
import weir.judge.answer.RunFindings;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.Promises;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.ProbeMetric;
import weir.plan.RecordKeys;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.TrialFolder;
import weir.results.value.Caveat;
import weir.results.value.Conclusion;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/** The content of a run folder, read once, for all parts of the report. */
public record RunView(
        RunFolder folder,
        RequestedExperiment asked,
        Machine machine,
        List<TrialView> trials,
        RunResult result,
        SearchResults found,
        boolean finished) {
    public static final String NOTHING_YET = "No measurement yet";

    public static RunView of(RunFolder folder) {
        return of(folder, false);
    }

    static RunView of(RunFolder folder, boolean goesOn) {
        Set<String> drawn = folder.drawn().stream().map(ProbeMetric::name).collect(Collectors.toSet());
        return of(folder, trial -> TrialView.of(trial, drawn), goesOn);
    }

    /** Views a live run. A trial without an end has no caveats. */
    public static RunView live(RunFolder folder, Function<TrialFolder, TrialView> reading) {
        return of(folder, reading, true);
    }

    public RunView with(TrialView another) {
        return RecordKeys.with(
                this,
                Map.of(
                        "trials",
                        Stream.concat(trials.stream(), Stream.of(another)).toList()));
    }

    static RunView summary(RunFolder folder, boolean goesOn) {
        return of(folder, TrialView::summary, goesOn);
    }

    private static RunView of(RunFolder folder, Function<TrialFolder, TrialView> reading, boolean goesOn) {
        RequestedExperiment asked = folder.asked();
        Machine machine = folder.machine();
        List<TrialView> trials = folder.trials().parallelStream().map(reading).toList();
        Optional<RunResult> concluded = folder.result();
        SearchResults found = folder.found();
        List<Caveat> caveats = new ArrayList<>(concluded.map(RunResult::caveats).orElse(List.of()));
        // The conclusion lacks killed trials.
        trials.stream()
                .filter(trial -> concluded.isEmpty() || !trial.finished())
                .filter(trial -> trial.finished() || !goesOn)
                .flatMap(trial -> CaveatCollector.accept(trial.caveats(), asked.accepted()).stream())
                .filter(caveat -> !caveats.contains(caveat))
                .forEach(caveats::add);
        RunResult result = concluded.orElseGet(() -> {
            RunResult unconcluded = RecordKeys.with(
                    RunResult.NONE,
                    Map.of(
                            "caveats",
                            caveats,
                            "trials",
                            trials.stream().map(TrialView::result).toList(),
                            "conclusion",
                            Conclusion.of(List.of(), found)));
            return unconcluded.with(conclusion(new RunFindings(asked, machine, unconcluded), goesOn));
        });
        return new RunView(
                folder,
                asked,
                machine,
                trials,
                RecordKeys.with(result, Map.of("caveats", Caveat.severestFirst(caveats))),
                found,
                concluded.map(r -> r.whole(asked)).orElse(false));
    }

    private static Conclusion conclusion(RunFindings findings, boolean goesOn) {
        Conclusion conclusion = Conclusions.of(findings);
        if (!goesOn) {
            return conclusion;
        }
        return conclusion.answering(findings.isEmpty() ? NOTHING_YET : "So far: " + conclusion.answer());
    }

    RunState badge() {
        return RunState.of(result.caveats(), finished);
    }

    public List<TrialResult> results() {
        return trials.stream().map(TrialView::result).toList();
    }

    public List<String> variants() {
        List<String> names = new ArrayList<>(
                asked.variants().stream().map(RequestedExperiment.Variant::name).toList());
        List<String> seen = TrialResult.variants(results());
        names.retainAll(seen);
        seen.stream().filter(name -> !names.contains(name)).forEach(names::add);
        return names;
    }

    public List<TrialView> of(String variant) {
        return trials.stream()
                .filter(trial -> trial.result().variant().equals(variant))
                .toList();
    }

    public boolean repeats() {
        return variants().stream().anyMatch(variant -> of(variant).size() > 1);
    }

    /** Returns a remark for figures of the median trial; empty if each variant has one trial. */
    public String medianTrial() {
        return repeats() ? " (median trial)" : "";
    }

    /** Returns the median trial by response p99, or by throughput. Prefers finished trials. */
    public TrialView median(String variant) {
        List<TrialView> sorted = finished(variant)
                .sorted(Comparator.comparingDouble(RunView::rank))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    private Stream<TrialView> finished(String variant) {
        boolean none = of(variant).stream().noneMatch(TrialView::finished);
        return of(variant).stream().filter(trial -> none || trial.finished());
    }

    /** Returns the results of the finished trials of a variant, or of all its trials if none is finished. */
    List<TrialResult> whole(String variant) {
        return finished(variant).map(TrialView::result).toList();
    }

    private static double rank(TrialView trial) {
        Double p99 = trial.result().figures().response().p99();
        Double carried = trial.result().figures().carriedPerSecond();
        return p99 != null ? p99 : carried != null ? -carried : 0;
    }

    LoadCurve curve(String variant) {
        return LoadCurve.of(variant, results(), result.caveats());
    }

    boolean read() {
        return results().stream().anyMatch(trial -> trial.figures().e2e().known());
    }

    /** The latency that the report shows first: response, or service if only service is known. */
    LatencyKind shownFirst() {
        boolean responds =
                results().stream().anyMatch(trial -> trial.figures().response().known());
        boolean serves = results().stream()
                .anyMatch(trial -> trial.figures().latency(LatencyKind.SERVICE).known());
        return serves && !responds ? LatencyKind.SERVICE : LatencyKind.RESPONSE;
    }

    boolean caughtUp() {
        return results().stream().anyMatch(trial -> trial.catchUp() != null);
    }

    public boolean stepped() {
        return variants().stream().anyMatch(this::stepped);
    }

    /** True if the variant has several rates, one after the other. */
    public boolean stepped(String variant) {
        return results().stream().anyMatch(trial -> trial.variant().equals(variant) && trial.stepped());
    }

    public List<TrialFolder> profiled() {
        return folder.profiled().stream().filter(TrialFolder::finished).toList();
    }

    /** The broken promises of profiled trials, whose losses are not in the figures of the run. */
    public List<String> brokenWhileProfiled() {
        return profiled().stream()
                .filter(trial -> !Promises.kept(trial, trial.result()))
                .map(trial -> trial.started().variant()
                        + ": Kafka broke a promise in the profiled trial, so the run ends with exit code 5; "
                        + lost(trial.result()))
                .toList();
    }

    private static String lost(TrialResult result) {
        List<String> counts = new ArrayList<>(result.figures().violations());
        for (Count count : List.of(Count.LOST, Count.DUPLICATED, Count.REORDERED)) {
            Long counted = result.figures().count(count);
            if (counted != null && counted > 0) {
                counts.add(count.word() + " " + NumberFormat.count(counted));
            }
        }
        return counts.isEmpty() ? "see its folder" : String.join(", ", counts);
    }
}
