package weir.judge;

import java.util.List;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The answer of an experiment that compares something with itself: how small a difference it could have told. */
final class NoiseFloor {
    private static final int MOST_METRICS = 4;

    private NoiseFloor() {}

    /** Empty without a verdict, which takes enough repeats. */
    static String of(List<TrialResult> trials, List<ComparisonResult> comparisons) {
        List<ComparisonResult> judged = comparisons.stream()
                .filter(c -> c.visible() != null && !c.verdict().equals(Comparisons.NO_VERDICT))
                .toList();
        if (judged.isEmpty()) {
            return "";
        }
        ComparisonResult first = judged.get(0);
        String floor = NumberFormat.listed(judged.stream()
                .limit(MOST_METRICS)
                .map(c -> NumberFormat.change(c.visible()) + " in " + c.metric())
                .toList());
        List<ComparisonResult> apart = judged.stream()
                .filter(c -> !c.verdict().equals(Comparisons.SAME))
                .toList();
        if (apart.isEmpty()) {
            long repeats = trials.stream()
                    .filter(trial -> trial.variant().equals(first.b()))
                    .count();
            return "“" + first.b() + "” is not distinguishable from itself; with " + repeats
                    + " repeats each, a difference shows from " + floor + " on.";
        }
        ComparisonResult worst = apart.get(0);
        return "“" + first.b() + "” differs from itself: " + worst.metric() + " " + worst.text()
                + ". By chance that happens once in twenty times; when it does again, something here drifts, and no "
                + "difference smaller than that can be trusted.";
    }
}
