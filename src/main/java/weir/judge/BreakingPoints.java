package weir.judge;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.measure.Known;
import weir.measure.Median;
import weir.results.value.BreakingPointResult;
import weir.results.value.BreakingPointResult.Found;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/** The rate at which a variant breaks: in each trial, and over all trials. */
public final class BreakingPoints {
    private BreakingPoints() {}

    public static BreakingPointResult of(String variant, List<String> limits, List<TrialResult> trials) {
        List<TrialResult> own = TrialResult.ofVariant(variant, trials);
        List<Found> found = own.stream()
                .map(BreakingPoints::of)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingDouble(
                                (Found one) -> Objects.requireNonNullElse(one.rate(), Double.POSITIVE_INFINITY))
                        .thenComparingDouble(Found::offered))
                .toList();
        int n = found.size();
        double offered = found.stream().mapToDouble(Found::offered).max().orElse(0);
        if (n == 0) {
            return new BreakingPointResult(
                    variant, limits, null, null, null, null, null, 0, false, "no steps were measured", List.of());
        }
        int outside = Median.outside(n);
        Found middle = found.get((n - 1) / 2);
        boolean several = n > 1;
        return new BreakingPointResult(
                variant,
                limits,
                middle.rate(),
                several ? found.get(outside).rate() : null,
                several ? found.get(n - 1 - outside).rate() : null,
                several ? Median.confidence(n, outside) : null,
                found.stream().anyMatch(one -> one.sustained() == null) ? null : Known.least(found, Found::sustained),
                middle.rate() == null ? middle.offered() : offered,
                limitedByGenerator(middle.rate(), own),
                middle.why().isEmpty() ? "every step sustained" : middle.why(),
                found);
    }

    public static @Nullable Found of(TrialResult trial) {
        LoadCurve curve = LoadCurve.of(trial.variant(), List.of(trial));
        List<LoadCurve.Point> rising = curve.rising();
        if (curve.points().isEmpty()) {
            return null;
        }
        LoadCurve.@Nullable Point beyond = curve.beyond();
        LoadCurve.@Nullable Point knee = curve.knee();
        @Nullable Double sustained = knee == null ? null : knee.rate();
        if (beyond != null && beyond.state() == StepState.UNTESTED) {
            String why = curve.refusal(beyond) + NumberFormat.rate(beyond.rate()) + ": " + beyond.why();
            return new Found(trial.trial(), null, sustained, Known.orZero(sustained), why);
        }
        return new Found(
                trial.trial(),
                beyond == null ? null : beyond.rate(),
                sustained,
                rising.get(rising.size() - 1).rate(),
                beyond == null ? "" : beyond.why());
    }

    private static boolean limitedByGenerator(@Nullable Double rate, List<TrialResult> trials) {
        if (rate == null) {
            return false;
        }
        double at = rate;
        return trials.stream()
                .flatMap(trial -> trial.generator().alone().stream())
                .anyMatch(step -> !step.holds() && Math.abs(step.rate() - at) < at / 1_000);
    }
}
