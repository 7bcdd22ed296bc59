package weir.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.measure.Count;
import weir.measure.Median;
import weir.results.value.ComparisonResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says what each disturbance did to each variant: medians over its trials, and the losses of the worst of them. */
final class DisturbanceSentence {
    /** With more variants only the extremes are told: all of them stand in a table. */
    private static final int MOST_TOLD = 6;

    private DisturbanceSentence() {}

    /** Empty where nothing was disturbed. */
    static String of(List<TrialResult> trials, List<ComparisonResult> comparisons) {
        return ComparedMetric.disturbing(trials).stream()
                .map(name -> of(name, trials, comparisons))
                .collect(Collectors.joining(" "));
    }

    private static String of(String name, List<TrialResult> trials, List<ComparisonResult> comparisons) {
        List<String> variants =
                trials.stream().map(TrialResult::variant).distinct().toList();
        List<String> whats =
                disturbed(name, trials).map(DisturbanceResult::what).distinct().toList();
        Map<String, List<TrialResult>> hits = hits(name, trials);
        if (hits.size() > MOST_TOLD) {
            return extremes(name, hits) + gaveBack(name, comparisons);
        }
        List<String> disturbed = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String variant : variants) {
            List<TrialResult> own = trials.stream()
                    .filter(trial -> trial.variant().equals(variant))
                    .toList();
            List<TrialResult> hit = hits.getOrDefault(variant, List.of());
            String called = variants.size() == 1 ? "the load" : "\u201c" + variant + "\u201d";
            Double p99 = Median.of(
                    hit.isEmpty() ? own : hit,
                    trial -> trial.responseDuring(name).p99());
            if (!hit.isEmpty()) {
                String what = whats.size() == 1
                        ? ""
                        : " (" + disturbed(name, hit).findFirst().orElseThrow().what() + ")";
                String during = p99 == null ? "" : "has a p99 of " + NumberFormat.millis(p99) + " during it, ";
                disturbed.add(called + what + " " + during + did(hit, name));
            } else if (p99 != null) {
                others.add(called + " has " + NumberFormat.millis(p99));
            }
        }
        return "\u201c" + name + "\u201d" + (whats.size() == 1 ? " (" + whats.get(0) + ")" : "") + ": "
                + String.join("; ", disturbed)
                + (others.isEmpty() ? "" : "; undisturbed, in the same seconds, " + String.join(", ", others)) + "."
                + gaveBack(name, comparisons);
    }

    /** The trials of each variant that were disturbed. */
    private static Map<String, List<TrialResult>> hits(String name, List<TrialResult> trials) {
        return trials.stream()
                .filter(trial -> trial.disturbance(name) != null)
                .collect(Collectors.groupingBy(TrialResult::variant, LinkedHashMap::new, Collectors.toList()));
    }

    private static String extremes(String name, Map<String, List<TrialResult>> hits) {
        Map<String, Double> lost = new LinkedHashMap<>();
        Map<String, Double> gaps = new LinkedHashMap<>();
        hits.forEach((variant, own) -> {
            OptionalLong worst = worstLoss(own);
            if (worst.isPresent()) {
                lost.put(variant, (double) worst.getAsLong());
            }
            double gap = Median.of(disturbed(name, own)
                    .filter(one -> !one.missed())
                    .mapToDouble(DisturbanceResult::gap)
                    .toArray());
            if (!Double.isNaN(gap)) {
                gaps.put(variant, gap);
            }
        });
        return "\u201c" + name + "\u201d, in " + hits.size() + " variants: "
                + extreme(lost, "lost nothing", "lost most, ", count -> NumberFormat.count((long) (double) count))
                + "; "
                + extreme(gaps, "never stopped for a second", "stopped longest, for ", NumberFormat::seconds) + ".";
    }

    private static String extreme(Map<String, Double> values, String none, String most, Function<Double, String> told) {
        long without = values.values().stream().filter(value -> value == 0).count();
        String few = without == values.size() ? "all of them " + none : without + " of them " + none;
        return values.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(worst -> worst.getValue() > 0)
                .map(worst -> few + ", and \u201c" + worst.getKey() + "\u201d " + most + told.apply(worst.getValue()))
                .orElse(few);
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

    private static String did(List<TrialResult> own, String name) {
        List<DisturbanceResult> all =
                disturbed(name, own).filter(one -> !one.missed()).toList();
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
        OptionalLong worst = worstLoss(own);
        if (worst.isEmpty()) {
            return "";
        }
        return worst.getAsLong() == 0
                ? ", with nothing lost"
                : ", with " + NumberFormat.count(worst.getAsLong()) + " lost";
    }

    private static OptionalLong worstLoss(List<TrialResult> own) {
        return own.stream()
                .map(trial -> trial.figures().count(Count.LOST))
                .filter(Objects::nonNull)
                .mapToLong(count -> count)
                .max();
    }

    private static Stream<DisturbanceResult> disturbed(String name, List<TrialResult> trials) {
        return trials.stream().flatMap(trial -> Stream.ofNullable(trial.disturbance(name)));
    }
}
