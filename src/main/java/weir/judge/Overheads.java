package weir.judge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import weir.measure.Known;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.results.TrialFolder;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.OverheadResult;
import weir.results.value.TrialResult;

/**
 * A comparison of operation times in two variants at each statistic, such as p99. One trial is one sample. If a trial
 * has too few operations for a percentile, Weir pools the operations of all trials (docs/explanation/comparing.md).
 */
public final class Overheads {
    private static final Map<String, Double> STATS = stats();
    private static final String MEAN = "mean";

    private final Map<String, List<Responses>> responses = new LinkedHashMap<>();
    private final Map<String, List<TrialResult>> results = new LinkedHashMap<>();

    private Overheads(List<TrialResult> trials, List<TrialFolder> folders) {
        for (TrialResult trial : trials) {
            folders.stream()
                    .filter(folder -> folder.started().trial() == trial.trial())
                    .map(Responses::of)
                    .filter(each -> each.count() > 0)
                    .forEach(each -> {
                        responses
                                .computeIfAbsent(trial.variant(), v -> new ArrayList<>())
                                .add(each);
                        results.computeIfAbsent(trial.variant(), v -> new ArrayList<>())
                                .add(trial);
                    });
        }
    }

    private static Map<String, Double> stats() {
        Map<String, Double> stats = new LinkedHashMap<>();
        stats.put("p50", 50.0);
        stats.put("p90", 90.0);
        stats.put("p99", 99.0);
        stats.put("max", 100.0);
        stats.put(MEAN, Double.NaN);
        return stats;
    }

    public static List<OverheadResult> of(
            List<CompareSpec> asked,
            List<CompareSpec.Published> published,
            List<TrialResult> trials,
            List<TrialFolder> folders) {
        List<CompareSpec.Over> pairs = new ArrayList<>();
        for (CompareSpec compare : asked) {
            if (compare instanceof CompareSpec.Over over && operates(over.a(), trials) && operates(over.b(), trials)) {
                pairs.add(over);
            }
        }
        List<OverheadResult> found = new ArrayList<>();
        if (!pairs.isEmpty()) {
            Overheads all = new Overheads(trials, folders);
            pairs.forEach(pair -> found.addAll(all.of(pair, published)));
        }
        return found;
    }

    private static boolean operates(String variant, List<TrialResult> trials) {
        return trials.stream()
                .anyMatch(trial ->
                        trial.variant().equals(variant) && trial.figures().operates());
    }

    private List<OverheadResult> of(CompareSpec.Over pair, List<CompareSpec.Published> published) {
        List<Responses> a = responses.getOrDefault(pair.a(), List.of());
        List<Responses> b = responses.getOrDefault(pair.b(), List.of());
        List<OverheadResult> found = new ArrayList<>();
        if (!a.isEmpty() && !b.isEmpty()) {
            STATS.forEach((stat, percentile) -> {
                List<PublishedRatio> elsewhere = published.stream()
                        .filter(one -> one.of().equals(pair) && one.stat().equals(stat))
                        .map(one -> new PublishedRatio(one.source(), one.ratio()))
                        .toList();
                List<String> bounds = Stream.of(pair.a(), pair.b())
                        .filter(variant -> bound(variant, percentile))
                        .toList();
                found.add(of(pair, stat, a, b, bounds, elsewhere));
            });
        }
        return found;
    }

    private boolean bound(String variant, double percentile) {
        double at = Double.isNaN(percentile) ? 100 : percentile;
        return results.getOrDefault(variant, List.of()).stream()
                .anyMatch(trial -> trial.figures().response().isBound(at));
    }

    static OverheadResult of(
            CompareSpec.Over pair,
            String stat,
            List<Responses> a,
            List<Responses> b,
            List<String> atLeast,
            List<PublishedRatio> published) {
        double percentile = STATS.getOrDefault(stat, Double.NaN);
        ToDoubleFunction<Responses> figure =
                stat.equals(MEAN) ? Responses::meanMillis : trial -> trial.millis(percentile);
        // A maximum grows with the number of operations, so maxima are not pooled.
        boolean pooled = percentile < 100 && (thin(a, percentile) || thin(b, percentile));
        double[] as = a.stream().mapToDouble(figure).toArray();
        double[] bs = b.stream().mapToDouble(figure).toArray();
        Welch welch = Welch.of(as, bs);
        Responses allA = Responses.pooled(a);
        Responses allB = Responses.pooled(b);
        double ofA = pooled ? figure.applyAsDouble(allA) : Welch.geometricMean(as);
        double ofB = pooled ? figure.applyAsDouble(allB) : Welch.geometricMean(bs);
        double ratio = pooled ? ofA / ofB : welch.ratio();
        double wide = welch.high() / welch.ratio();
        boolean known = welch.enough() && atLeast.isEmpty();
        return new OverheadResult(
                pair.a(),
                pair.b(),
                stat,
                Known.of(ofA),
                Known.of(ofB),
                atLeast.size() > 1 ? null : Known.of(ratio),
                known ? Known.of(pooled ? Math.min(welch.low(), ratio / wide) : welch.low()) : null,
                known ? Known.of(pooled ? Math.max(welch.high(), ratio * wide) : welch.high()) : null,
                pooled,
                percentile < 100
                        && (pooled || a.size() == 1 || b.size() == 1)
                        && (allA.thin(percentile) || allB.thin(percentile)),
                atLeast,
                published);
    }

    private static boolean thin(List<Responses> trials, double percentile) {
        return trials.size() > 1 && trials.stream().anyMatch(trial -> trial.thin(percentile));
    }
}
