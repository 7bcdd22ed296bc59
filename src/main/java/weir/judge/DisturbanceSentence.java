package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Median;
import weir.results.value.ComparisonResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says what each disturbance did to each variant: medians over its trials, and the losses of the worst of them. */
final class DisturbanceSentence {
    private DisturbanceSentence() {}

    /** Empty where nothing was disturbed. */
    static String of(List<TrialResult> trials, List<ComparisonResult> comparisons) {
        List<String> names = trials.stream()
                .flatMap(trial -> trial.disturbances().stream())
                .map(DisturbanceResult::name)
                .distinct()
                .toList();
        return names.stream().map(name -> of(name, trials, comparisons)).collect(Collectors.joining(" "));
    }

    private static String of(String name, List<TrialResult> trials, List<ComparisonResult> comparisons) {
        SortedMap<Integer, List<TrialResult>> variants = byVariant(trials);
        List<String> whats = variants.values().stream()
                .map(own -> find(own.get(0), name))
                .filter(Objects::nonNull)
                .map(DisturbanceResult::what)
                .distinct()
                .toList();
        List<String> disturbed = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (List<TrialResult> own : variants.values()) {
            DisturbanceResult one = find(own.get(0), name);
            String variant =
                    variants.size() == 1 ? "the load" : "\u201c" + own.get(0).variant() + "\u201d";
            Double p99 = p99(own, name);
            if (one != null) {
                String what = whats.size() == 1 ? "" : " (" + one.what() + ")";
                String during = p99 == null ? "" : "has a p99 of " + NumberFormat.millis(p99) + " during it, ";
                disturbed.add(variant + what + " " + during + did(own, name));
            } else if (p99 != null) {
                others.add(variant + " has " + NumberFormat.millis(p99));
            }
        }
        return "\u201c" + name + "\u201d" + (whats.size() == 1 ? " (" + whats.get(0) + ")" : "") + ": "
                + String.join("; ", disturbed)
                + (others.isEmpty() ? "" : "; undisturbed, in the same seconds, " + String.join(", ", others)) + "."
                + gaveBack(name, comparisons);
    }

    /** The shares of the way from disturbed to undisturbed, as far as comparisons were asked for that tell them. */
    private static String gaveBack(String name, List<ComparisonResult> comparisons) {
        List<String> shares = comparisons.stream()
                .filter(c -> c.to() != null && c.metric().equals(ComparedMetric.during(name)))
                .map(c -> "\u201c" + c.a() + "\u201d " + (c.ratio() == null ? "no share that is known" : c.text())
                        + " (" + c.judged() + ")")
                .toList();
        return shares.isEmpty() ? "" : " Of what it cost at p99 gave back: " + String.join("; ", shares) + ".";
    }

    private static SortedMap<Integer, List<TrialResult>> byVariant(List<TrialResult> trials) {
        List<String> variants =
                trials.stream().map(TrialResult::variant).distinct().toList();
        SortedMap<Integer, List<TrialResult>> byVariant = new TreeMap<>();
        trials.forEach(trial -> byVariant
                .computeIfAbsent(variants.indexOf(trial.variant()), place -> new ArrayList<>())
                .add(trial));
        return byVariant;
    }

    /** The response in the seconds of the disturbance, the median over the trials. */
    private static @Nullable Double p99(List<TrialResult> own, String name) {
        return Median.of(
                own,
                trial -> trial.during().stream()
                        .filter(during -> during.disturbance().equals(name))
                        .findFirst()
                        .map(during -> during.response().p99())
                        .orElse(null));
    }

    private static String did(List<TrialResult> own, String name) {
        List<DisturbanceResult> all = own.stream()
                .map(trial -> found(trial, name))
                .filter(one -> !one.missed())
                .toList();
        if (all.isEmpty()) {
            return "is not known to be disturbed: the broker led no partition";
        }
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
