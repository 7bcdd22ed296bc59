package weir.results;

import java.util.List;
import java.util.Map;
import weir.plan.RecordKeys;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.FitResult;
import weir.results.value.OverheadResult;
import weir.results.value.ScalingResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/** A whole run: the one object that {@code --format json} prints and {@code conclusion.json} holds. */
public record RunResult(
        int version,
        String name,
        String run,
        boolean valid,
        int exit,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        List<FitResult> fits,
        List<ScalingResult> scalings,
        List<TrialResult> trials,
        Conclusion conclusion,
        String report) {
    public static final int VERSION = 1;
    /** The result of a run in which nothing was measured. */
    public static final RunResult NONE = new RunResult(
            VERSION,
            "",
            "",
            true,
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Conclusion.of(List.of(), SearchResults.NONE),
            "");

    public RunResult {
        caveats = List.copyOf(caveats);
        expect = List.copyOf(expect);
        comparisons = List.copyOf(comparisons);
        overheads = List.copyOf(overheads);
        fits = List.copyOf(fits);
        scalings = List.copyOf(scalings);
        trials = List.copyOf(trials);
    }

    public boolean whole(RequestedExperiment asked) {
        int wanted = asked.variants().stream()
                .mapToInt(RequestedExperiment.Variant::repeat)
                .sum();
        return trials.size() >= wanted && caveats.stream().noneMatch(caveat -> caveat.is(Caveat.INTERRUPTED));
    }

    public RunState state(RequestedExperiment asked) {
        return valid ? RunState.of(caveats, whole(asked)) : RunState.INVALID;
    }

    public RunResult with(Conclusion other) {
        return RecordKeys.with(this, Map.of("conclusion", other));
    }

    public String toJson() {
        return ResultJson.write(this);
    }
}
