package weir.judge.answer;

import java.util.List;
import weir.judge.Comparisons;
import weir.judge.LoadCurve;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunResult;
import weir.results.value.Figures;
import weir.results.value.TrialResult;

/** The findings of a run, from which Weir makes the answer. The field {@code run} does not contain the answer yet. */
public record RunFindings(RequestedExperiment asked, Machine machine, RunResult run) {
    List<TrialResult> measured() {
        return run.trials().stream().filter(RunFindings::measured).toList();
    }

    private static boolean measured(TrialResult trial) {
        Figures figures = trial.figures();
        return figures.ackedPerSecond() != null
                || figures.receivedPerSecond() != null
                || figures.response().count() > 0;
    }

    List<TrialResult> whole() {
        return LoadCurve.whole(measured(), run.caveats());
    }

    List<String> variants() {
        return TrialResult.variants(whole());
    }

    public boolean isEmpty() {
        return measured().isEmpty() && run.conclusion().found().isEmpty();
    }

    List<TrialResult> of(String variant) {
        return TrialResult.ofVariant(variant, whole());
    }

    /** The reason why no variant is better, such as "no verdict, one trial each"; empty with enough trials. */
    public String tooFew() {
        long fewest = variants().stream()
                .mapToLong(variant -> of(variant).size())
                .min()
                .orElse(Comparisons.ENOUGH);
        return fewest >= Comparisons.ENOUGH || variants().size() < 2 ? "" : noVerdict(fewest);
    }

    static String noVerdict(long trials) {
        return "no verdict, " + (trials == 1 ? "one trial each" : trials + " trials each");
    }
}
