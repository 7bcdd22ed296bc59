package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.TrialFigures.FoundFigure;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Median;
import weir.measure.Welch;
import weir.results.value.BreakingPointResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/**
 * A figure for the comparison of trials.
 *
 * @param step the step of the latency; 0 if the latency belongs to no step with a rate
 */
public record ComparedMetric(String name, Function<TrialResult, FoundFigure> figure, int step) {
    /** A p99.9 needs 10,000 messages, so that ten are slower. */
    private static final long FOR_P999 = 10_000;

    private static final double FARTHEST = 99.99;
    private static final ComparedMetric CPU = rate(NumberFormat.CPU, TrialResult::cpuMicros);

    /**
     * The metrics of two variants, the primary metric first. The primary metric is the first one that applies: the
     * catch-up, the response in a disturbance, p99 of a paced load, throughput of a closed loop.
     */
    public static List<ComparedMetric> of(List<TrialResult> a, List<TrialResult> b) {
        List<StepResult> steps = a.isEmpty() ? List.of() : a.get(0).steps();
        boolean paced = !steps.isEmpty() && steps.stream().allMatch(step -> step.rate() != null);
        boolean stepless = b.stream().allMatch(trial -> trial.steps().isEmpty());
        if (paced && steps.size() > 1 && !stepless) {
            return ofSteps(steps, a, b);
        }
        List<TrialResult> both = Stream.concat(a.stream(), b.stream()).toList();
        List<ComparedMetric> latencies = new ArrayList<>();
        if (both.stream().allMatch(trial -> trial.catchUp() != null)) {
            latencies.add(new ComparedMetric("catch-up", FoundFigure::ofCatchUp, 0));
        }
        int step = paced ? steps.get(0).step() : 0;
        for (String disturbance : disturbing(both)) {
            latencies.add(latency(during(disturbance), 99, 0, trial -> trial.responseDuring(disturbance)));
            latencies.add(
                    latency("response p50 during " + disturbance, 50, 0, trial -> trial.responseDuring(disturbance)));
        }
        latencies.add(measured("response p99", 99, step, Figures::response));
        latencies.add(measured("response p50", 50, step, Figures::response));
        if (both.stream().allMatch(trial -> trial.figures().response().count() >= FOR_P999)) {
            latencies.add(measured("response p99.9", 99.9, step, Figures::response));
        }
        // An imported run has no response, because other tools measure from the send.
        if (both.stream().anyMatch(trial -> !trial.figures().response().known())) {
            latencies.add(measured("service p99", 99, step, figures -> figures.latency(LatencyKind.SERVICE)));
            latencies.add(measured("service p50", 50, step, figures -> figures.latency(LatencyKind.SERVICE)));
        }
        latencies.add(measured("e2e p99", 99, step, Figures::e2e));
        if (both.stream().allMatch(TrialResult::delivered)) {
            latencies.add(measured("e2e p50", 50, step, Figures::e2e));
            latencies.add(measured("e2e p99.99", FARTHEST, step, Figures::e2e));
            latencies.add(CPU);
        }
        List<ComparedMetric> carried = new ArrayList<>();
        carried.add(rate("acked/s", trial -> trial.figures().ackedPerSecond()));
        if (both.stream().allMatch(trial -> trial.figures().rate(RateKind.APPENDED) != null)) {
            carried.add(rate("appended/s", trial -> trial.figures().rate(RateKind.APPENDED)));
        }
        carried.add(rate("received/s", trial -> trial.figures().receivedPerSecond()));
        List<ComparedMetric> all = new ArrayList<>(paced ? latencies : carried);
        // A variant at a given rate has exactly that throughput, so throughput is no metric.
        if (!paced || both.stream().anyMatch(ComparedMetric::missed)) {
            all.addAll(paced ? carried : latencies);
        }
        return all;
    }

    private static ComparedMetric measured(
            String name, double percentile, int step, Function<Figures, LatencyResult> of) {
        return latency(name, percentile, step, trial -> of.apply(trial.figures()));
    }

    private static ComparedMetric latency(
            String name, double percentile, int step, Function<TrialResult, LatencyResult> of) {
        return new ComparedMetric(
                name,
                trial -> {
                    LatencyResult latency = of.apply(trial);
                    Double millis = latency.at(percentile);
                    // The trial has a caveat for every lower percentile with too few messages.
                    boolean thin = percentile == FARTHEST && Latency.thin(latency.count(), percentile);
                    return millis == null
                            ? FoundFigure.NOTHING
                            : new FoundFigure(millis, latency.isBound(percentile), thin);
                },
                step);
    }

    public static List<String> disturbing(List<TrialResult> trials) {
        return trials.stream()
                .flatMap(trial -> trial.disturbances().stream())
                .map(DisturbanceResult::name)
                .distinct()
                .toList();
    }

    public static String during(String disturbance) {
        return "response p99 during " + disturbance;
    }

    private static ComparedMetric rate(String name, Function<TrialResult, @Nullable Double> figure) {
        return new ComparedMetric(name, trial -> FoundFigure.of(figure.apply(trial)), 0);
    }

    private static boolean missed(TrialResult trial) {
        Figures figures = trial.figures();
        return figures.offeredPerSecond() == null
                || figures.ackedPerSecond() == null
                || !RateRule.sustained(RateRule.achieved(figures));
    }

    private static List<ComparedMetric> ofSteps(List<StepResult> steps, List<TrialResult> a, List<TrialResult> b) {
        double sustained = Math.min(sustained(a), sustained(b));
        List<StepResult> ordered = new ArrayList<>(steps);
        ordered.sort(Comparator.comparing(step -> !Objects.equals(step.rate(), sustained)));
        List<ComparedMetric> metrics = new ArrayList<>();
        for (StepResult step : ordered) {
            if (b.stream().anyMatch(trial -> same(trial, step).count() > 0)) {
                metrics.add(at(step, "response p99", 99, Figures::response));
            }
        }
        List<TrialResult> both = Stream.concat(a.stream(), b.stream()).toList();
        if (both.stream().map(FoundFigure::ofBreakingPoint).noneMatch(found -> found.nothing() || found.atLeast())) {
            metrics.add(
                    Math.min(1, metrics.size()),
                    new ComparedMetric(BreakingPointResult.METRIC, FoundFigure::ofBreakingPoint, 0));
        }
        // Event paths also have two metrics: e2e at the slowest common rate, and the cost of an event.
        if (both.stream().allMatch(TrialResult::delivered)) {
            StepResult slowest = a.get(0).slowestRising();
            if (slowest != null) {
                metrics.add(at(slowest, "e2e p50", 50, Figures::e2e));
                metrics.add(at(slowest, "e2e p99", 99, Figures::e2e));
                metrics.add(at(slowest, "e2e p99.99", FARTHEST, Figures::e2e));
            }
            metrics.add(CPU);
        }
        return metrics;
    }

    private static ComparedMetric at(
            StepResult step, String name, double percentile, Function<Figures, LatencyResult> of) {
        return latency(
                name + " at " + NumberFormat.rate(step.rate()),
                percentile,
                step.step(),
                trial -> same(trial, step)
                        .findFirst()
                        .map(found -> of.apply(found.figures()))
                        .orElse(LatencyResult.NONE));
    }

    private static Stream<StepResult> same(TrialResult trial, StepResult step) {
        return trial.steps().stream()
                .filter(other -> other.step() == step.step() && Objects.equals(other.rate(), step.rate()));
    }

    private static double sustained(List<TrialResult> trials) {
        LoadCurve.@Nullable Point knee = trials.isEmpty()
                ? null
                : LoadCurve.of(trials.get(0).variant(), trials).knee();
        return knee == null ? 0 : knee.rate();
    }

    public double[] values(List<TrialResult> trials) {
        return trials.stream().map(figure).mapToDouble(FoundFigure::value).toArray();
    }

    String note(List<TrialResult> a, List<TrialResult> b) {
        String failed = Stream.of(a, b)
                .filter(trials -> trials.stream()
                        .anyMatch(trial ->
                                trial.figures().mostFailed() && trial.steps().size() < 2))
                .map(trials -> NumberFormat.quoted(trials.get(0).variant()))
                .collect(Collectors.joining(" and "));
        if (!failed.isEmpty()) {
            return "most operations of " + failed + " failed";
        }
        String queues = step == 0 ? "" : queues(a, b);
        boolean thin = Stream.concat(a.stream(), b.stream()).map(figure).anyMatch(FoundFigure::thin);
        return queues.isEmpty() && thin ? "a trial has fewer than ten messages beyond this percentile" : queues;
    }

    private String queues(List<TrialResult> a, List<TrialResult> b) {
        String first = refusal(a);
        String second = refusal(b);
        if (first.isEmpty() && second.isEmpty()) {
            return "";
        }
        String who = first.equals(second)
                ? first.replaceFirst("^is ", "both are ").replaceFirst("^does not sustain", "neither sustains")
                : Stream.of(a, b)
                        .filter(trials -> !refusal(trials).isEmpty())
                        .map(trials -> NumberFormat.quoted(trials.get(0).variant()) + " " + refusal(trials))
                        .collect(Collectors.joining(", "));
        return who + ": the ratio compares queues, not latencies";
    }

    private String refusal(List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(trials.get(0).variant(), trials);
        return curve.points().stream()
                .filter(point -> point.step() == step && point.state() != StepState.SUSTAINED)
                .findFirst()
                .map(point -> curve.refusal(point) + NumberFormat.rate(point.rate()))
                .orElse("");
    }

    boolean bound(List<TrialResult> trials) {
        return trials.stream().map(figure).anyMatch(FoundFigure::atLeast);
    }

    /**
     * The geometric mean of the trials' figures, because the ratio is that of two such means. The median if a figure is
     * not positive. Null if no trial has the figure.
     */
    @Nullable Double mean(List<TrialResult> trials) {
        double mean = Welch.geometricMean(values(trials));
        return Double.isNaN(mean)
                ? Median.of(
                        trials.stream()
                                .map(figure)
                                .filter(found -> !found.nothing())
                                .toList(),
                        FoundFigure::value)
                : (Double) mean;
    }
}
