package weir.results;

import java.util.List;
import weir.plan.CaveatType;

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
        List<TrialResult> trials,
        Conclusion conclusion,
        String report) {
    public static final int VERSION = 1;

    public RunResult {
        caveats = List.copyOf(caveats);
        expect = List.copyOf(expect);
        comparisons = List.copyOf(comparisons);
        trials = List.copyOf(trials);
    }

    /** Whether every trial that was asked for ran, and to its end. */
    public boolean whole(Asked asked) {
        int wanted = asked.variants().stream().mapToInt(Asked.Variant::repeat).sum();
        return trials.size() >= wanted && caveats.stream().noneMatch(caveat -> caveat.is(CaveatType.INTERRUPTED));
    }

    /** The object as text. */
    public String toJson() {
        return Json.write(this);
    }
}
