package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import weir.results.Asked;
import weir.results.Capacities;
import weir.results.CapacityResult;
import weir.results.Caveat;
import weir.results.ComparisonResult;
import weir.results.Conclusion;
import weir.results.Conclusions;
import weir.results.ExpectResult;
import weir.results.FitResult;
import weir.results.LoadCurve;
import weir.results.Machine;
import weir.results.OverheadResult;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.StepResult;
import weir.results.TrialFolder;
import weir.results.TrialResult;

/** Everything a run folder holds, read once: what every part of the report is made from. */
record Story(
        RunFolder folder,
        Asked asked,
        Machine machine,
        List<Pass> passes,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        List<FitResult> fits,
        Conclusion conclusion,
        List<CapacityResult> capacities,
        boolean finished) {
    static Story of(RunFolder folder) {
        return of(folder, Pass::of);
    }

    /** Without windows, events, readings and curves. */
    static Story summary(RunFolder folder) {
        return of(folder, Pass::summary);
    }

    private static Story of(RunFolder folder, Function<TrialFolder, Pass> reading) {
        Asked asked = folder.asked();
        Machine machine = folder.machine();
        List<Pass> passes = folder.trials().parallelStream().map(reading).toList();
        Optional<RunResult> result = folder.result();
        List<Caveat> caveats = new ArrayList<>(result.map(RunResult::caveats).orElse(List.of()));
        // Of a trial that was killed no conclusion knows.
        passes.stream()
                .filter(pass -> result.isEmpty() || !pass.finished())
                .forEach(pass -> caveats.addAll(pass.caveats()));
        List<ComparisonResult> comparisons = result.map(RunResult::comparisons).orElse(List.of());
        List<CapacityResult> capacities = folder.capacities();
        return new Story(
                folder,
                asked,
                machine,
                passes,
                Caveat.loudestFirst(caveats),
                result.map(RunResult::expect).orElse(List.of()),
                comparisons,
                result.map(RunResult::overheads).orElse(List.of()),
                result.map(RunResult::fits).orElse(List.of()),
                result.map(RunResult::conclusion)
                        .orElseGet(() -> Capacities.first(
                                Conclusions.of(
                                        asked,
                                        machine,
                                        passes.stream().map(Pass::result).toList(),
                                        caveats,
                                        comparisons),
                                asked,
                                capacities,
                                comparisons,
                                !passes.isEmpty())),
                capacities,
                result.map(r -> r.whole(asked)).orElse(false));
    }

    RunState badge() {
        return RunState.of(caveats, finished);
    }

    List<TrialResult> trials() {
        return passes.stream().map(Pass::result).toList();
    }

    /** The variants that have trials, in the order of the file. */
    List<String> variants() {
        List<String> names = new ArrayList<>(
                asked.variants().stream().map(Asked.Variant::name).toList());
        List<String> seen =
                trials().stream().map(TrialResult::variant).distinct().toList();
        names.retainAll(seen);
        seen.stream().filter(name -> !names.contains(name)).forEach(names::add);
        return names;
    }

    List<Pass> of(String variant) {
        return passes.stream()
                .filter(pass -> pass.result().variant().equals(variant))
                .toList();
    }

    /** The trial in the middle by response p99, or by what it carried; finished ones before others. */
    Pass median(String variant) {
        List<Pass> own = of(variant);
        List<Pass> whole = own.stream().filter(Pass::finished).toList();
        List<Pass> sorted = (whole.isEmpty() ? own : whole)
                .stream().sorted(Comparator.comparingDouble(Story::rank)).toList();
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static double rank(Pass pass) {
        Double p99 = pass.result().figures().response().p99();
        Double acked = pass.result().figures().ackedPerSecond();
        Double received = pass.result().figures().receivedPerSecond();
        return p99 != null ? p99 : acked != null ? -acked : received != null ? -received : 0;
    }

    LoadCurve curve(String variant) {
        return LoadCurve.of(variant, trials(), caveats);
    }

    /** Whether somebody read what was sent, so that there are latencies from end to end. */
    boolean read() {
        return trials().stream().anyMatch(trial -> trial.figures().e2e().count() > 0);
    }

    boolean stepped() {
        return trials().stream()
                .anyMatch(trial -> trial.steps().stream().filter(Story::paced).count() > 1);
    }

    private static boolean paced(StepResult step) {
        return step.rate() != null;
    }
}
