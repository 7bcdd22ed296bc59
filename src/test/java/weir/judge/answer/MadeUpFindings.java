package weir.judge.answer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.judge.BreakingPoints;
import weir.plan.RecordKeys;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunResult;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.OverheadResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/** Made-up findings. */
public record MadeUpFindings(
        List<TrialResult> trials,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<String> compare,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        List<BreakingPointResult> breakingPoints) {
    public static MadeUpFindings of(List<TrialResult> trials) {
        return new MadeUpFindings(trials, List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /** Adds the comparisons that the experiment requests. */
    MadeUpFindings comparing(List<ComparisonResult> found) {
        List<String> pairs =
                found.stream().map(ComparisonResult::pair).distinct().toList();
        return new MadeUpFindings(trials, caveats, expect, pairs, found, overheads, breakingPoints);
    }

    MadeUpFindings with(List<OverheadResult> found) {
        return new MadeUpFindings(trials, caveats, expect, compare, comparisons, found, breakingPoints);
    }

    MadeUpFindings breaking(String... variants) {
        return breaking(Stream.of(variants)
                .map(name -> BreakingPoints.of(name, List.of(), trials))
                .toList());
    }

    public MadeUpFindings breaking(List<BreakingPointResult> points) {
        return new MadeUpFindings(trials, caveats, expect, compare, comparisons, overheads, points);
    }

    MadeUpFindings expecting(ExpectResult... results) {
        return new MadeUpFindings(trials, caveats, List.of(results), compare, comparisons, overheads, breakingPoints);
    }

    MadeUpFindings doubting(Caveat... doubts) {
        return new MadeUpFindings(trials, List.of(doubts), expect, compare, comparisons, overheads, breakingPoints);
    }

    public RunFindings findings() {
        RequestedExperiment asked =
                new RequestedExperiment("1", "", "x", "", 1, false, List.of(), compare, new TreeMap<>(), List.of());
        return new RunFindings(
                asked,
                new Machine(Map.of(), Map.of(), List.of()),
                RecordKeys.with(
                        RunResult.NONE,
                        Map.of(
                                "trials", trials,
                                "caveats", caveats,
                                "expect", expect,
                                "comparisons", comparisons,
                                "overheads", overheads,
                                "conclusion", Conclusion.of(breakingPoints, SearchResults.NONE))));
    }

    public Conclusion conclusion() {
        return Conclusions.of(findings());
    }

    public String answer() {
        return conclusion().answer();
    }

    String said(Function<RunFindings, List<AnswerSentence>> part) {
        return part.apply(findings()).stream().map(AnswerSentence::text).collect(Collectors.joining(" "));
    }
}
