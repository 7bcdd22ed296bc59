package weir.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.measure.Welch;
import weir.plan.CompareSpec;

/**
 * What trials say about the difference between two variants. The unit is the trial: the ratio and its 95 % interval are
 * Welch's t on the logarithms of the per-trial values. The first metric of a pair is the primary one, the others are
 * Holm-corrected; below four repeats there is no verdict.
 */
public final class Comparisons {
    public static final String NO_VERDICT = "no verdict";
    public static final String BETTER = "better";
    public static final String WORSE = "worse";
    public static final String SAME = "not distinguishable";
    static final int ENOUGH = Welch.ENOUGH;

    private Comparisons() {}

    /** A figure to compare by, and whether more of it is better. */
    private record Metric(String name, boolean moreIsBetter, Function<TrialResult, @Nullable Double> figure) {}

    /** The pairs asked for, or without any, each variant over the first. */
    public static List<ComparisonResult> of(List<CompareSpec> asked, List<String> variants, List<TrialResult> trials) {
        List<ComparisonResult> results = new ArrayList<>();
        if (asked.isEmpty()) {
            for (String variant : variants.subList(Math.min(1, variants.size()), variants.size())) {
                results.addAll(pair(variant, variants.get(0), trials));
            }
        }
        for (CompareSpec compare : asked) {
            if (compare instanceof CompareSpec.Over over) {
                results.addAll(pair(over.a(), over.b(), trials));
            } else if (compare instanceof CompareSpec.Between between) {
                results.addAll(pair(between.a(), between.from(), trials));
                results.addAll(pair(between.to(), between.from(), trials));
            } else {
                throw new AssertionError(compare);
            }
        }
        return results;
    }

    private static List<ComparisonResult> pair(String a, String b, List<TrialResult> trials) {
        List<TrialResult> as = named(a, trials);
        List<TrialResult> bs = named(b, trials);
        List<ComparisonResult> results = new ArrayList<>();
        List<Double> doubts = new ArrayList<>();
        List<Metric> metrics = metrics(as, bs);
        for (Metric metric : metrics) {
            double[] x = values(as, metric);
            double[] y = values(bs, metric);
            if (x.length > 0 && y.length > 0) {
                Welch welch = Welch.of(x, y);
                doubts.add(welch.p());
                results.add(result(a, b, metric, welch));
            }
        }
        return verdicts(results, doubts, metrics);
    }

    private static List<ComparisonResult> verdicts(
            List<ComparisonResult> results, List<Double> doubts, List<Metric> metrics) {
        boolean[] differs = new boolean[results.size()];
        if (!results.isEmpty()) {
            boolean[] others =
                    Welch.holm(doubts.stream().skip(1).mapToDouble(p -> p).toArray());
            System.arraycopy(others, 0, differs, 1, others.length);
            differs[0] = doubts.get(0) <= Welch.LEVEL;
        }
        List<ComparisonResult> judged = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            ComparisonResult result = results.get(i);
            boolean more = Objects.requireNonNull(result.ratio()) > 1;
            boolean moreIsBetter =
                    metrics.stream().anyMatch(metric -> metric.name().equals(result.metric()) && metric.moreIsBetter());
            String verdict = result.verdict().isEmpty()
                    ? (differs[i] ? (more == moreIsBetter ? BETTER : WORSE) : SAME)
                    : result.verdict();
            judged.add(new ComparisonResult(
                    result.a(),
                    result.b(),
                    result.metric(),
                    result.ratio(),
                    result.low(),
                    result.high(),
                    verdict,
                    result.visible()));
        }
        return judged;
    }

    private static List<TrialResult> named(String variant, List<TrialResult> trials) {
        return trials.stream().filter(trial -> trial.variant().equals(variant)).toList();
    }

    private static double[] values(List<TrialResult> trials, Metric metric) {
        return trials.stream()
                .map(metric.figure())
                .filter(Objects::nonNull)
                .filter(value -> value > 0)
                .mapToDouble(value -> value)
                .toArray();
    }

    /** Paced loads are compared by response p99, closed loops by how much they carry. */
    private static List<Metric> metrics(List<TrialResult> a, List<TrialResult> b) {
        List<Metric> metrics = new ArrayList<>();
        List<StepResult> steps = a.isEmpty() ? List.of() : a.get(0).steps();
        boolean paced = !steps.isEmpty() && steps.stream().allMatch(step -> step.rate() != null);
        if (paced && steps.size() > 1) {
            double held = Math.min(held(a), held(b));
            // The fastest rate that both held is the primary one: below it there is little to see, above it little to
            // trust.
            List<StepResult> ordered = new ArrayList<>(steps);
            ordered.sort(Comparator.comparing(step -> !Objects.equals(step.rate(), held)));
            for (StepResult step : ordered) {
                Double rate = Objects.requireNonNull(step.rate());
                boolean common = b.stream().anyMatch(trial -> at(trial, step.step(), rate) != null);
                if (common) {
                    metrics.add(new Metric("response p99 at " + Written.rate(rate), false, trial -> {
                        StepResult same = at(trial, step.step(), rate);
                        return same == null ? null : same.figures().response().p99();
                    }));
                }
            }
            return metrics;
        }
        Metric acked = new Metric("acked/s", true, trial -> trial.figures().ackedPerSecond());
        Metric received =
                new Metric("received/s", true, trial -> trial.figures().receivedPerSecond());
        Metric p99 = new Metric(
                "response p99", false, trial -> trial.figures().response().p99());
        Metric p50 = new Metric(
                "response p50", false, trial -> trial.figures().response().p50());
        Metric e2e = new Metric("e2e p99", false, trial -> trial.figures().e2e().p99());
        return paced ? List.of(p99, p50, e2e, acked, received) : List.of(acked, received, p99, p50, e2e);
    }

    private static double held(List<TrialResult> trials) {
        if (trials.isEmpty()) {
            return 0;
        }
        LoadCurve.@Nullable Stage knee =
                LoadCurve.of(trials.get(0).variant(), trials).knee();
        return knee == null ? 0 : knee.rate();
    }

    private static @Nullable StepResult at(TrialResult trial, int step, double rate) {
        return trial.steps().stream()
                .filter(other -> other.step() == step && other.rate() != null && other.rate() == rate)
                .findFirst()
                .orElse(null);
    }

    private static ComparisonResult result(String a, String b, Metric metric, Welch welch) {
        String verdict = welch.enough() ? "" : NO_VERDICT;
        return new ComparisonResult(
                a,
                b,
                metric.name(),
                welch.ratio(),
                known(welch.low()),
                known(welch.high()),
                verdict,
                known(welch.visible()));
    }

    private static @Nullable Double known(double figure) {
        return Double.isNaN(figure) ? null : figure;
    }
}
