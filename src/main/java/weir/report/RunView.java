package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.LoadCurve;
import weir.judge.answer.Conclusions;
import weir.judge.answer.RunFindings;
import weir.judge.caveat.CaveatCollector;
import weir.measure.ProbeMetric;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.TrialFolder;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.FitResult;
import weir.results.value.OverheadResult;
import weir.results.value.ScalingResult;
import weir.results.value.SearchResults;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** Everything in a run folder, read once; every part of the report is made from it. */
public record RunView(
        RunFolder folder,
        RequestedExperiment asked,
        Machine machine,
        List<TrialView> trials,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        List<FitResult> fits,
        List<ScalingResult> scalings,
        Conclusion conclusion,
        SearchResults found,
        boolean finished) {
    public static final String NOTHING_YET = "Nothing is measured yet";

    public static RunView of(RunFolder folder) {
        return of(folder, false);
    }

    static RunView of(RunFolder folder, boolean goesOn) {
        Set<String> drawn = folder.drawn().stream().map(ProbeMetric::name).collect(Collectors.toSet());
        return of(folder, trial -> TrialView.of(trial, drawn), goesOn);
    }

    /** Views a run that goes on: a trial that is not over has no caveats. */
    public static RunView live(RunFolder folder, Function<TrialFolder, TrialView> reading) {
        return of(folder, reading, true);
    }

    public RunView with(TrialView another) {
        return new RunView(
                folder,
                asked,
                machine,
                Stream.concat(trials.stream(), Stream.of(another)).toList(),
                caveats,
                expect,
                comparisons,
                overheads,
                fits,
                scalings,
                conclusion,
                found,
                finished);
    }

    static RunView summary(RunFolder folder, boolean goesOn) {
        return of(folder, TrialView::summary, goesOn);
    }

    private static RunView of(RunFolder folder, Function<TrialFolder, TrialView> reading, boolean goesOn) {
        RequestedExperiment asked = folder.asked();
        Machine machine = folder.machine();
        List<TrialView> trials = folder.trials().parallelStream().map(reading).toList();
        Optional<RunResult> result = folder.result();
        List<Caveat> caveats = new ArrayList<>(result.map(RunResult::caveats).orElse(List.of()));
        // The conclusion lacks trials that were killed.
        trials.stream()
                .filter(trial -> result.isEmpty() || !trial.finished())
                .filter(trial -> trial.finished() || !goesOn)
                .flatMap(trial -> CaveatCollector.accept(trial.caveats(), asked.accepted()).stream())
                .filter(caveat -> !caveats.contains(caveat))
                .forEach(caveats::add);
        List<ComparisonResult> comparisons = result.map(RunResult::comparisons).orElse(List.of());
        SearchResults found = folder.found();
        return new RunView(
                folder,
                asked,
                machine,
                trials,
                Caveat.loudestFirst(caveats),
                result.map(RunResult::expect).orElse(List.of()),
                comparisons,
                result.map(RunResult::overheads).orElse(List.of()),
                result.map(RunResult::fits).orElse(List.of()),
                result.map(RunResult::scalings).orElse(List.of()),
                result.map(RunResult::conclusion)
                        .orElseGet(() -> conclusion(
                                new RunFindings(
                                        asked,
                                        machine,
                                        trials.stream().map(TrialView::result).toList(),
                                        caveats,
                                        comparisons,
                                        found),
                                goesOn)),
                found,
                result.map(r -> r.whole(asked)).orElse(false));
    }

    private static Conclusion conclusion(RunFindings findings, boolean goesOn) {
        Conclusion conclusion = Conclusions.of(findings);
        if (!goesOn) {
            return conclusion;
        }
        return conclusion.answering(findings.isEmpty() ? NOTHING_YET : "So far: " + conclusion.answer());
    }

    public List<CapacityResult> capacities() {
        return found.capacities();
    }

    RunState badge() {
        return RunState.of(caveats, finished);
    }

    public List<TrialResult> results() {
        return trials.stream().map(TrialView::result).toList();
    }

    /** Returns the variants that have trials, in the order of the file. */
    public List<String> variants() {
        List<String> names = new ArrayList<>(
                asked.variants().stream().map(RequestedExperiment.Variant::name).toList());
        List<String> seen =
                results().stream().map(TrialResult::variant).distinct().toList();
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

    /** Returns a remark for figures of the median trial only; empty if each variant has one trial. */
    public String medianTrial() {
        return repeats() ? " (median trial)" : "";
    }

    /** Returns the median trial by response p99, or by throughput; prefers finished trials. */
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

    /** Returns the results of the finished trials of a variant, or of all if none finished. */
    List<TrialResult> whole(String variant) {
        return finished(variant).map(TrialView::result).toList();
    }

    private static double rank(TrialView trial) {
        Double p99 = trial.result().figures().response().p99();
        Double carried = trial.result().figures().carriedPerSecond();
        return p99 != null ? p99 : carried != null ? -carried : 0;
    }

    LoadCurve curve(String variant) {
        return LoadCurve.of(variant, results(), caveats);
    }

    boolean read() {
        return results().stream().anyMatch(trial -> trial.figures().e2e().count() > 0);
    }

    boolean caughtUp() {
        return results().stream().anyMatch(trial -> trial.catchUp() != null);
    }

    public boolean stepped() {
        return results().stream()
                .anyMatch(trial -> trial.steps().stream().filter(RunView::paced).count() > 1);
    }

    private static boolean paced(StepResult step) {
        return step.rate() != null;
    }
}
