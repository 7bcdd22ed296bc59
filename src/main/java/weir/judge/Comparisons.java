package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.plan.Metric;
import weir.plan.syntax.Glossary;
import weir.results.value.ComparisonResult;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.TrialResult;

/**
 * A comparison of two variants, with one value per trial. The ratio and its interval come from Welch's t on logarithms;
 * a recovery is a {@link RecoveryShare}. If the smaller figure is only a lower bound, there is no verdict. Two lower
 * bounds have no ratio. The other rules are in docs/explanation/comparing.md.
 */
public final class Comparisons {
    public static final String NO_VERDICT = "no verdict";
    public static final String BETTER = "better";
    public static final String WORSE = "worse";
    public static final String SAME = "not distinguishable";
    public static final String NO_WAY = "no disturbance from which to recover";

    public static final List<Count> LOSSES =
            List.of(Count.LOST, Count.DUPLICATED, Count.REORDERED, Count.FAILED, Count.UNRESOLVED, Count.UNSENT);

    public static final int ENOUGH = Welch.ENOUGH;

    private Comparisons() {}

    public static List<ComparisonResult> of(List<CompareSpec> asked, List<String> variants, List<TrialResult> trials) {
        List<ComparisonResult> results = new ArrayList<>();
        if (asked.isEmpty()) {
            for (String variant : variants.subList(Math.min(1, variants.size()), variants.size())) {
                results.addAll(over(variant, variants.get(0), trials));
            }
        }
        for (CompareSpec compare : asked) {
            if (compare instanceof CompareSpec.Over over) {
                results.addAll(over(over.a(), over.b(), trials));
            } else if (compare instanceof CompareSpec.Between between) {
                results.addAll(between(between, trials));
            } else {
                throw new AssertionError(compare);
            }
        }
        return results;
    }

    public static List<ComparisonResult> beside(
            List<CompareSpec.Published> published, List<ComparisonResult> comparisons) {
        return comparisons.stream()
                .map(one -> one.to() == null
                        ? one.with(published(published, new CompareSpec.Over(one.a(), one.b()), one.metric()))
                        : one)
                .toList();
    }

    static List<PublishedRatio> published(List<CompareSpec.Published> all, CompareSpec.Over pair, String stat) {
        return all.stream()
                .filter(one -> one.of().equals(pair) && one.stat().equals(stat))
                .map(one -> new PublishedRatio(one.source(), one.ratio()))
                .toList();
    }

    public static boolean moreIsBetter(String metric) {
        Metric known = Glossary.metrics().get(metric.replaceFirst(" .*", ""));
        return known != null && known.moreIsBetter();
    }

    private static List<ComparisonResult> over(String a, String b, List<TrialResult> trials) {
        List<TrialResult> as = named(a, trials);
        List<TrialResult> bs = named(b, trials);
        List<ComparedMetric> metrics = ComparedMetric.of(as, bs).stream()
                .filter(metric -> metric.mean(as) != null && metric.mean(bs) != null)
                .toList();
        double[] ps = ps(metrics, as, bs);
        double[] levels = Welch.levels(ps);
        // Stricter levels matter only to intervals with a verdict.
        boolean enough = Math.min(as.size(), bs.size()) >= ENOUGH;
        List<ComparisonResult> results = new ArrayList<>();
        for (int i = 0; i < metrics.size(); i++) {
            ComparedMetric metric = metrics.get(i);
            Welch welch = Welch.of(metric.values(as), metric.values(bs), enough ? levels[i] : Welch.LEVEL);
            boolean atLeastA = metric.bound(as);
            boolean atLeastB = metric.bound(bs);
            boolean both = atLeastA && atLeastB;
            boolean better = welch.ratio() > 1 == moreIsBetter(metric.name());
            // The true figure may be above a lower bound, so a lower bound cannot be the smaller figure.
            boolean bound = welch.ratio() < 1 ? atLeastA : atLeastB;
            boolean judged = enough && !Double.isNaN(welch.p()) && !bound && !both;
            boolean differs = ps[i] <= levels[i];
            results.add(new ComparisonResult(
                    a,
                    b,
                    null,
                    metric.name(),
                    metric.mean(as),
                    metric.mean(bs),
                    both ? null : Known.of(welch.ratio()),
                    atLeastB ? null : Known.of(welch.low()),
                    atLeastA ? null : Known.of(welch.high()),
                    judged ? differs ? better ? BETTER : WORSE : SAME : NO_VERDICT,
                    both ? null : Known.of(welch.visible()),
                    Stream.of(a, b)
                            .filter(name -> name.equals(a) ? atLeastA : atLeastB)
                            .toList(),
                    both ? "both figures are lower bounds, so the ratio is unknown" : metric.note(as, bs),
                    List.of()));
        }
        results.addAll(worst(a, b, as, bs));
        return results;
    }

    private static List<ComparisonResult> worst(String a, String b, List<TrialResult> as, List<TrialResult> bs) {
        List<ComparisonResult> results = new ArrayList<>();
        for (Count count : LOSSES) {
            double x = worst(as, count);
            double y = worst(bs, count);
            if (x > 0 != y > 0 && !Double.isNaN(x + y)) {
                boolean enough = Math.min(as.size(), bs.size()) >= ENOUGH;
                String verdict = !enough ? NO_VERDICT : x > 0 ? WORSE : BETTER;
                results.add(new ComparisonResult(
                        a, b, null, count.word(), x, y, null, null, null, verdict, null, List.of(), "", List.of()));
            }
        }
        return results;
    }

    /** The highest count of any trial; NaN if a trial without the count may be the worst. */
    private static double worst(List<TrialResult> trials, Count count) {
        return trials.stream()
                .map(trial -> trial.figures().count(count))
                .mapToDouble(value -> value == null ? Double.NaN : value)
                .reduce(Math::max)
                .orElse(Double.NaN);
    }

    private static List<ComparisonResult> between(CompareSpec.Between asked, List<TrialResult> trials) {
        List<TrialResult> as = named(asked.a(), trials);
        List<TrialResult> froms = named(asked.from(), trials);
        List<TrialResult> tos = named(asked.to(), trials);
        List<ComparedMetric> metrics = ComparedMetric.of(froms, tos).stream()
                .filter(metric -> metric.mean(as) != null && metric.mean(froms) != null && metric.mean(tos) != null)
                .toList();
        double[] way = ps(metrics, tos, froms);
        double[] fromFrom = ps(metrics, as, froms);
        double[] fromTo = ps(metrics, as, tos);
        double[] wayLevels = Welch.levels(way);
        double[] fromLevels = Welch.levels(fromFrom);
        double[] toLevels = Welch.levels(fromTo);
        int fewest = Math.min(as.size(), Math.min(froms.size(), tos.size()));
        List<ComparisonResult> results = new ArrayList<>();
        for (int i = 0; i < metrics.size(); i++) {
            ComparedMetric metric = metrics.get(i);
            // Both ends have one level, so that the interval agrees with the verdict.
            double level = fewest >= ENOUGH ? Math.min(fromLevels[i], toLevels[i]) : Welch.LEVEL;
            RecoveryShare recovered =
                    RecoveryShare.of(metric.values(as), metric.values(froms), metric.values(tos), level);
            boolean bound = metric.bound(as) || metric.bound(froms) || metric.bound(tos);
            boolean judged = fewest >= ENOUGH && !Double.isNaN(recovered.share()) && !bound;
            // A recovered share needs a measured cost.
            Welch cost = Welch.of(metric.values(froms), metric.values(tos));
            boolean none = (judged && way[i] > wayLevels[i])
                    || (!Double.isNaN(cost.ratio()) && !costs(metric.name(), cost.ratio(), cost.low(), cost.high()));
            results.add(new ComparisonResult(
                    asked.a(),
                    asked.from(),
                    asked.to(),
                    metric.name(),
                    metric.mean(as),
                    metric.mean(froms),
                    none ? null : Known.of(recovered.share()),
                    none ? null : Known.of(recovered.low()),
                    none ? null : Known.of(recovered.high()),
                    none
                            ? NO_WAY
                            : judged
                                    ? place(asked, recovered.share(), fromFrom[i] <= level, fromTo[i] <= level)
                                    : NO_VERDICT,
                    null,
                    List.of(),
                    "",
                    List.of()));
        }
        return results;
    }

    /** True when a is worse than b, and the whole interval, if known, is on the worse side. */
    public static boolean costs(ComparisonResult one) {
        return one.ratio() != null && costs(one.metric(), one.ratio(), Known.orNaN(one.low()), Known.orNaN(one.high()));
    }

    private static boolean costs(String metric, double ratio, double low, double high) {
        return moreIsBetter(metric) ? ratio < 1 && !(high >= 1) : ratio > 1 && !(low <= 1);
    }

    private static String place(CompareSpec.Between asked, double share, boolean unlikeFrom, boolean unlikeTo) {
        if (!unlikeFrom) {
            return unlikeTo ? like(asked.from()) : SAME;
        }
        if (!unlikeTo) {
            return like(asked.to());
        }
        return share > 1 ? "beyond " + asked.to() : share < 0 ? "beyond " + asked.from() : "between";
    }

    public static String like(String variant) {
        return "like " + variant;
    }

    private static double[] ps(List<ComparedMetric> metrics, List<TrialResult> a, List<TrialResult> b) {
        return metrics.stream()
                .mapToDouble(
                        metric -> Welch.of(metric.values(a), metric.values(b)).p())
                .toArray();
    }

    private static List<TrialResult> named(String variant, List<TrialResult> trials) {
        return TrialResult.ofVariant(variant, trials).stream()
                .filter(trial -> !trial.figures().nothing())
                .toList();
    }

    /**
     * The position of a variant between two others: 0 is the first, 1 is the second. It is {@code (m(a) − m(from)) /
     * (m(to) − m(from))}, with {@code m} the geometric mean of one value per trial.
     *
     * <p>The 95 % interval contains every share {@code s} that the trials do not refute (Fieller). Welch's t compares
     * {@code m(a)} with {@code (1 − s) m(from) + s m(to)} on logarithms, with first-order variances. So the interval
     * excludes 0 if {@code a} and {@code from} differ, and 1 if {@code a} and {@code to} differ.
     *
     * @param low and {@code high}: the interval; NaN with fewer than two values of a variant, infinite without a limit
     */
    record RecoveryShare(double share, double low, double high) {
        private static final double FARTHEST = 1e3;

        private static final double FIRST_STEP = 1e-4;
        private static final double GROWTH = 1.15;
        private static final int HALVINGS = 50;

        private record Logs(double mean, double variance, int count) {
            static Logs of(double[] values, double unit) {
                double[] logs = Welch.logs(values, unit);
                return new Logs(
                        Welch.mean(logs), logs.length < 2 ? 0 : Welch.variance(logs) / logs.length, logs.length);
            }

            double middle() {
                return Math.exp(mean);
            }
        }

        /** Returns NaN if a value is not positive, or if {@code from} and {@code to} have equal means. */
        public static RecoveryShare of(double[] a, double[] from, double[] to, double level) {
            int fewest = Math.min(a.length, Math.min(from.length, to.length));
            if (fewest == 0 || !Welch.positive(a) || !Welch.positive(from) || !Welch.positive(to)) {
                return new RecoveryShare(Double.NaN, Double.NaN, Double.NaN);
            }
            Logs x = Logs.of(a, from[0]);
            Logs start = Logs.of(from, from[0]);
            Logs end = Logs.of(to, from[0]);
            double share = (x.middle() - start.middle()) / (end.middle() - start.middle());
            if (fewest < 2 || !Double.isFinite(share)) {
                return new RecoveryShare(Double.isFinite(share) ? share : Double.NaN, Double.NaN, Double.NaN);
            }
            return new RecoveryShare(
                    share, bound(x, start, end, share, -1, level), bound(x, start, end, share, 1, level));
        }

        private static double bound(Logs a, Logs from, Logs to, double share, int direction, double level) {
            double inside = share;
            double step = FIRST_STEP;
            while (step < FARTHEST) {
                double outside = share + direction * step;
                double middle = (1 - outside) * from.middle() + outside * to.middle();
                if (middle <= 0) {
                    // No figure is below zero, so this share is the highest possible share.
                    return from.middle() / (from.middle() - to.middle());
                }
                if (refuted(a, from, to, outside, level)) {
                    return between(a, from, to, inside, outside, level);
                }
                inside = outside;
                step *= GROWTH;
            }
            return direction * Double.POSITIVE_INFINITY;
        }

        private static double between(Logs a, Logs from, Logs to, double inside, double outside, double level) {
            double kept = inside;
            double refuted = outside;
            for (int i = 0; i < HALVINGS; i++) {
                double middle = (kept + refuted) / 2;
                if (refuted(a, from, to, middle, level)) {
                    refuted = middle;
                } else {
                    kept = middle;
                }
            }
            return kept;
        }

        private static boolean refuted(Logs a, Logs from, Logs to, double share, double level) {
            double middle = (1 - share) * from.middle() + share * to.middle();
            double weightFrom = (1 - share) * from.middle() / middle;
            double weightTo = share * to.middle() / middle;
            double va = a.variance();
            double vf = weightFrom * weightFrom * from.variance();
            double vt = weightTo * weightTo * to.variance();
            double variance = va + vf + vt;
            double difference = Math.abs(a.mean() - Math.log(middle));
            if (variance == 0) {
                return difference > 1e-12;
            }
            double degrees = variance
                    * variance
                    / (va * va / (a.count() - 1) + vf * vf / (from.count() - 1) + vt * vt / (to.count() - 1));
            return 2 * TDistribution.of(degrees).survivalProbability(difference / Math.sqrt(variance)) <= level;
        }
    }
}
