package weir.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weir.feature.Features;
import weir.feature.ModelKind;
import weir.judge.Capacities;
import weir.judge.Comparisons;
import weir.judge.ExpectationJudge;
import weir.judge.Overheads;
import weir.judge.answer.Conclusions;
import weir.judge.answer.RunFindings;
import weir.judge.caveat.LoadCaveats;
import weir.judge.caveat.RunCaveats;
import weir.judge.trial.JudgedTrial;
import weir.plan.Experiment;
import weir.plan.syntax.CaveatType;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunResult.ModelResult;
import weir.results.RunState;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/** The findings from all trials of a run. */
record RunSummary(
        Experiment experiment,
        RunFolder folder,
        List<JudgedTrial> trials,
        SearchResults searched,
        List<BreakingPointResult> breakingPoints) {
    RunSummary {
        trials = List.copyOf(trials);
        breakingPoints = List.copyOf(breakingPoints);
    }

    private List<TrialResult> results() {
        return trials.stream().map(JudgedTrial::result).toList();
    }

    /** The reasons to doubt several trials together. */
    List<Caveat> caveats() {
        return RunCaveats.of(experiment, folder.asked(), folder.machine(), results());
    }

    /**
     * @param found the caveats of all trials and of the run
     * @param whole true if all requested trials ran to their end
     * @param strict true if a suspect or unfinished run has the exit code of an invalid run
     */
    RunResult conclude(List<Caveat> found, boolean whole, boolean strict, List<Exit> exits) {
        List<TrialResult> results = results();
        List<Caveat> caveats = Caveat.severestFirst(found);
        List<String> variants = TrialResult.variants(results);
        List<ComparisonResult> comparisons = new ArrayList<>(Comparisons.beside(
                experiment.published(), Comparisons.of(experiment.comparisons(), variants, results)));
        comparisons.addAll(Capacities.compared(experiment.comparisons(), searched.capacities()));
        List<ExpectResult> expect = new ExpectationJudge(trials, searched).of(experiment.expectations());
        boolean valid = caveats.stream().noneMatch(caveat -> caveat.level() == CaveatType.Level.INVALID);
        List<Exit> all = new ArrayList<>(exits);
        // An interrupted run without measurements has no wrong result.
        boolean cut = exits.contains(Exit.INTERRUPTED);
        boolean wrong = caveats.stream()
                .filter(caveat -> !cut || !caveat.is(LoadCaveats.NOTHING_MEASURED))
                .anyMatch(caveat -> caveat.level() == CaveatType.Level.INVALID);
        if (wrong || (strict && RunState.of(caveats, whole) != RunState.VALID)) {
            all.add(Exit.INVALID);
        }
        all.add(Exit.of(expect.stream()
                .filter(one -> !cut || one.verdict().equals(ExpectResult.FAILED))
                .toList()));
        Map<String, List<? extends ModelResult>> models = new HashMap<>();
        Features.each(ModelKind.class).forEach(kind -> models.putAll(kind.fitted(experiment.models(), trials)));
        RunResult result = new RunResult(
                RunResult.VERSION,
                experiment.name(),
                folder.path().toString(),
                valid,
                Exit.worst(all).code(),
                caveats,
                expect,
                comparisons,
                Overheads.of(experiment.comparisons(), experiment.published(), results, folder.trials()),
                models,
                results,
                Conclusion.of(breakingPoints, searched),
                folder.report().toString());
        return result.with(Conclusions.of(new RunFindings(folder.asked(), folder.machine(), result)));
    }
}
