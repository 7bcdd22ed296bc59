package weir.judge.answer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import weir.judge.Comparisons;
import weir.judge.LoadCurve;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.Conclusion;
import weir.results.value.TrialResult;

/** Writes the conclusion of a run: the answer, its scope, figures that belong to it, losses, and advice. */
public final class Conclusions {
    private static final int MOST_ADVICE = 3;
    private static final String ALL_SUSTAIN =
            "No variant sustains the rate, so nothing can be compared at it: ask at a rate that"
                    + " all of them sustain (rate: 50% of capacity, with search: { capacity: { of: each } }, or a lower rate).";

    private Conclusions() {}

    public static Conclusion of(RunFindings f) {
        Headline headline = Headline.of(f);
        return new Conclusion(
                headline.answer(),
                AnswerScope.of(f),
                Stream.of(
                                headline.rest(),
                                RateSentence.refused(f),
                                DisturbanceSentence.details(f),
                                DeliverySentence.of(f.variants(), f.whole()))
                        .flatMap(List::stream)
                        .filter(detail -> !headline.answer().contains(detail.replaceFirst("\\.$", "")))
                        .toList(),
                Losses.of(f.trials()),
                advice(f.variants(), f.whole(), f.caveats()),
                f.breakingPoints(),
                f.found());
    }

    private static List<String> advice(List<String> variants, List<TrialResult> trials, List<Caveat> caveats) {
        Set<String> advice = new LinkedHashSet<>();
        // What decided comes before what is doubtful.
        boolean paced = variants.stream()
                .noneMatch(variant -> LoadCurve.of(variant, trials).points().isEmpty());
        boolean none = variants.stream()
                .allMatch(variant -> LoadCurve.of(variant, trials).knee() == null);
        if (paced && none && variants.size() > 1) {
            advice.add(ALL_SUSTAIN);
        }
        Caveat.loudestFirst(caveats).stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE
                        && !caveat.advice().isBlank())
                .forEach(caveat -> advice.add(caveat.advice()));
        for (String variant : variants) {
            LoadCurve curve = LoadCurve.of(variant, trials);
            if (curve.points().size() > 1 && curve.beyond() == null) {
                advice.add("Offer higher rates to find the limit.");
            } else if (curve.points().size() > 1 && curve.knee() == null && variants.size() == 1) {
                advice.add("Offer lower rates to find what it does sustain.");
            }
        }
        if (variants.size() > 1 && trials.size() < variants.size() * Comparisons.ENOUGH) {
            advice.add("Repeat each variant at least four times (repeat: 4) to tell a difference from noise.");
        }
        return advice.stream().limit(MOST_ADVICE).toList();
    }
}
