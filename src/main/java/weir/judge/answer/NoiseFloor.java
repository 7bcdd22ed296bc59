package weir.judge.answer;

import java.util.List;
import weir.judge.Comparisons;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;

/** The answer of an experiment that compares something with itself: how small a difference it could have told. */
final class NoiseFloor {
    private static final int MOST_METRICS = 4;

    private NoiseFloor() {}

    /** Empty without a verdict, which takes enough repeats. */
    static List<AnswerSentence> of(RunFindings f) {
        if (!f.asked().againstItself()) {
            return List.of();
        }
        List<ComparisonResult> judged = f.comparisons().stream()
                .filter(c -> c.visible() != null && !c.verdict().equals(Comparisons.NO_VERDICT))
                .toList();
        if (judged.isEmpty()) {
            return List.of();
        }
        ComparisonResult first = judged.get(0);
        String name = NumberFormat.quoted(first.b());
        String floor = NumberFormat.listed(judged.stream()
                .limit(MOST_METRICS)
                .map(c -> NumberFormat.change(c.visible()) + " in " + c.metric())
                .toList());
        List<ComparisonResult> apart = judged.stream()
                .filter(c -> !c.verdict().equals(Comparisons.SAME))
                .toList();
        if (apart.isEmpty()) {
            return List.of(AnswerSentence.of(List.of(
                    name + " is not distinguishable from itself",
                    "with " + f.of(first.b()).size() + " repeats each, a difference shows from " + floor + " on")));
        }
        ComparisonResult worst = apart.get(0);
        return List.of(
                AnswerSentence.of(name + " differs from itself: " + worst.metric() + " " + worst.text()),
                AnswerSentence.of(List.of(
                        "Chance does that once in twenty runs",
                        "if it happens again, something here drifts, and no smaller difference can be trusted")));
    }
}
