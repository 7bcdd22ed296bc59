package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Median;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says what each disturbance did to each variant: medians over its trials, and the losses of the worst of them. */
final class DisturbanceSentence {
    private DisturbanceSentence() {}

    /** Empty where nothing was disturbed. */
    static String of(List<TrialResult> trials) {
        List<String> names = trials.stream()
                .flatMap(trial -> trial.disturbances().stream())
                .map(DisturbanceResult::name)
                .distinct()
                .toList();
        List<String> variants =
                trials.stream().map(TrialResult::variant).distinct().toList();
        List<String> sentences = new ArrayList<>();
        for (String name : names) {
            List<String> said = new ArrayList<>();
            String what = "";
            for (String variant : variants) {
                List<TrialResult> own = trials.stream()
                        .filter(trial -> trial.variant().equals(variant) && find(trial, name) != null)
                        .toList();
                if (!own.isEmpty()) {
                    what = found(own.get(0), name).what();
                    said.add((variants.size() == 1 ? "the load " : "\u201c" + variant + "\u201d ") + did(own, name));
                }
            }
            sentences.add("\u201c" + name + "\u201d (" + what + "): " + String.join("; ", said) + ".");
        }
        return String.join(" ", sentences);
    }

    private static String did(List<TrialResult> own, String name) {
        List<DisturbanceResult> all =
                own.stream().map(trial -> found(trial, name)).toList();
        double gap = Median.of(all.stream().mapToDouble(DisturbanceResult::gap).toArray());
        String stop = gap > 0 ? "stops for " + NumberFormat.seconds(gap) : "never stops for a second";
        return stop + recovery(all) + losses(own);
    }

    private static String recovery(List<DisturbanceResult> all) {
        Double recovery = Median.of(all, DisturbanceResult::recovery);
        if (recovery == null) {
            return "";
        }
        String since = all.get(0).to() == null ? " after its begin" : " after its end";
        long never = all.stream().filter(one -> !one.recovered()).count();
        if (never > 0) {
            String some = all.size() == 1 ? "" : " in " + never + " of " + all.size() + " trials";
            return ", and is not as before within " + NumberFormat.seconds(recovery) + since + some;
        }
        return recovery == 0
                ? ", and is as before at once"
                : ", and is as before " + NumberFormat.seconds(recovery) + since;
    }

    private static String losses(List<TrialResult> own) {
        List<Long> lost = own.stream()
                .map(trial -> trial.figures().count(Count.LOST))
                .filter(Objects::nonNull)
                .toList();
        if (lost.isEmpty()) {
            return "";
        }
        long worst = lost.stream().mapToLong(count -> count).max().orElse(0);
        return worst == 0 ? ", with nothing lost" : ", with " + NumberFormat.count(worst) + " lost";
    }

    private static @Nullable DisturbanceResult find(TrialResult trial, String name) {
        return trial.disturbances().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static DisturbanceResult found(TrialResult trial, String name) {
        return Objects.requireNonNull(find(trial, name));
    }
}
