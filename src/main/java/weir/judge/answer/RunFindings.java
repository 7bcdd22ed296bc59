package weir.judge.answer;

import java.util.List;
import weir.judge.Comparisons;
import weir.judge.LoadCurve;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.FitResult;
import weir.results.value.OverheadResult;
import weir.results.value.ScalingResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/** The findings of a run from which its answer is made. */
public record RunFindings(
        RequestedExperiment asked,
        Machine machine,
        List<TrialResult> trials,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        List<FitResult> fits,
        List<ScalingResult> scalings,
        List<BreakingPointResult> breakingPoints,
        SearchResults found) {
    public RunFindings {
        trials = List.copyOf(trials);
        caveats = List.copyOf(caveats);
        expect = List.copyOf(expect);
        comparisons = List.copyOf(comparisons);
        overheads = List.copyOf(overheads);
        fits = List.copyOf(fits);
        scalings = List.copyOf(scalings);
        breakingPoints = List.copyOf(breakingPoints);
    }

    public RunFindings(
            RequestedExperiment asked,
            Machine machine,
            List<TrialResult> trials,
            List<Caveat> caveats,
            List<ComparisonResult> comparisons,
            SearchResults found) {
        this(
                asked,
                machine,
                trials,
                caveats,
                List.of(),
                comparisons,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                found);
    }

    List<TrialResult> measured() {
        return trials.stream().filter(RunFindings::measured).toList();
    }

    private static boolean measured(TrialResult trial) {
        Figures figures = trial.figures();
        return figures.ackedPerSecond() != null
                || figures.receivedPerSecond() != null
                || figures.response().count() > 0;
    }

    List<TrialResult> whole() {
        return LoadCurve.whole(measured(), caveats);
    }

    List<String> variants() {
        return whole().stream().map(TrialResult::variant).distinct().toList();
    }

    public boolean isEmpty() {
        return measured().isEmpty() && found.isEmpty();
    }

    List<TrialResult> of(String variant) {
        return whole().stream().filter(trial -> trial.variant().equals(variant)).toList();
    }

    /**
     * The reason why no variant is called better, such as "no verdict, one trial each"; empty with enough trials of
     * each variant.
     */
    public String tooFew() {
        long fewest = variants().stream()
                .mapToLong(variant -> of(variant).size())
                .min()
                .orElse(Comparisons.ENOUGH);
        if (fewest >= Comparisons.ENOUGH || variants().size() < 2) {
            return "";
        }
        return "no verdict, " + (fewest == 1 ? "one trial each" : fewest + " trials each");
    }
}
