package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import weir.judge.TrialFigures.FoundFigure;
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
    private static final String MEAN = "mean";
    private static final List<String> STATS = List.of("p50", "p90", "p99", "max", MEAN);

    private final List<Operations> all = new ArrayList<>();

    private record Operations(TrialResult trial, Responses responses) {}

    private Overheads(List<TrialResult> trials, List<TrialFolder> folders) {
        for (TrialResult trial : trials) {
            folders.stream()
                    .filter(folder -> folder.started().trial() == trial.trial())
                    .map(Responses::of)
                    .filter(each -> each.count() > 0)
                    .forEach(each -> all.add(new Operations(trial, each)));
        }
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
        if (pairs.isEmpty()) {
            return List.of();
        }
        Overheads all = new Overheads(trials, folders);
        return pairs.stream().flatMap(pair -> all.of(pair, published)).toList();
    }

    private static boolean operates(String variant, List<TrialResult> trials) {
        return TrialResult.ofVariant(variant, trials).stream()
                .anyMatch(trial -> trial.figures().operates());
    }

    private Stream<Operations> named(String variant) {
        return all.stream().filter(one -> one.trial().variant().equals(variant));
    }

    private Stream<OverheadResult> of(CompareSpec.Over pair, List<CompareSpec.Published> published) {
        List<Responses> a = named(pair.a()).map(Operations::responses).toList();
        List<Responses> b = named(pair.b()).map(Operations::responses).toList();
        return STATS.stream()
                .filter(stat -> !a.isEmpty() && !b.isEmpty())
                .map(stat -> of(
                        pair,
                        stat,
                        a,
                        b,
                        Stream.of(pair.a(), pair.b())
                                .filter(variant -> bound(variant, FoundFigure.percentile(stat)))
                                .toList(),
                        Comparisons.published(published, pair, stat)));
    }

    private boolean bound(String variant, double percentile) {
        return named(variant).anyMatch(one -> one.trial().figures().response().isBound(percentile));
    }

    static OverheadResult of(
            CompareSpec.Over pair,
            String stat,
            List<Responses> a,
            List<Responses> b,
            List<String> atLeast,
            List<PublishedRatio> published) {
        double percentile = FoundFigure.percentile(stat);
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
