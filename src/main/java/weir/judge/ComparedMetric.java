package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Latency;
import weir.measure.Median;
import weir.measure.Welch;
import weir.results.value.BreakingPointResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/**
 * A figure to compare trials by.
 *
 * @param bound whether a trial's figure is only a lower bound
 * @param thin whether fewer than ten messages of a trial lie beyond it
 * @param step whose latency it is, 0 where it is not that of a step with a rate
 */
public record ComparedMetric(
        String name,
        Function<TrialResult, @Nullable Double> figure,
        Predicate<TrialResult> bound,
        Predicate<TrialResult> thin,
        int step) {
    /** Messages that a percentile needs, so that ten lie beyond it. */
    private static final long FOR_P999 = 10_000;

    private static final double FARTHEST = 99.99;

    private static final ComparedMetric CATCH_UP = new ComparedMetric(
            "catch-up",
            trial -> trial.catchUp() == null ? null : trial.catchUp().seconds(),
            trial -> trial.catchUp() != null && !trial.catchUp().reached(),
            trial -> false,
            0);

    private static final ComparedMetric CPU = rate(NumberFormat.CPU, TrialResult::cpuMicros);

    /** Where readers catch up, that is the primary figure; where a trial was disturbed, the response in those seconds. Paced loads are compared by response p99, closed loops by how much they carry; the first one is the primary. */
    public static List<ComparedMetric> of(List<TrialResult> a, List<TrialResult> b) {
        List<StepResult> steps = a.isEmpty() ? List.of() : a.get(0).steps();
        boolean paced = !steps.isEmpty() && steps.stream().allMatch(step -> step.rate() != null);
        if (paced && steps.size() > 1) {
            return ofSteps(steps, a, b);
        }
        List<TrialResult> both = Stream.concat(a.stream(), b.stream()).toList();
        List<ComparedMetric> latencies = new ArrayList<>();
        if (both.stream().allMatch(trial -> trial.catchUp() != null)) {
            latencies.add(CATCH_UP);
        }
        int step = paced ? steps.get(0).step() : 0;
        for (String disturbance : disturbing(both)) {
            latencies.add(during(during(disturbance), 99, disturbance));
            latencies.add(during("response p50 during " + disturbance, 50, disturbance));
        }
        latencies.add(latency("response p99", 99, step, trial -> trial.figures().response()));
        latencies.add(latency("response p50", 50, step, trial -> trial.figures().response()));
        if (both.stream().allMatch(trial -> trial.figures().response().count() >= FOR_P999)) {
            latencies.add(latency(
                    "response p99.9", 99.9, step, trial -> trial.figures().response()));
        }
        latencies.add(latency("e2e p99", 99, step, trial -> trial.figures().e2e()));
        if (both.stream().allMatch(TrialResult::delivered)) {
            latencies.add(latency("e2e p50", 50, step, trial -> trial.figures().e2e()));
            latencies.add(latency(
                    "e2e p99.99", FARTHEST, step, trial -> trial.figures().e2e()));
            latencies.add(CPU);
        }
        List<ComparedMetric> carried = new ArrayList<>();
        carried.add(rate("acked/s", trial -> trial.figures().ackedPerSecond()));
        if (both.stream().allMatch(trial -> trial.figures().rate(RateKind.APPENDED) != null)) {
            carried.add(rate("appended/s", trial -> trial.figures().rate(RateKind.APPENDED)));
        }
        carried.add(rate("received/s", trial -> trial.figures().receivedPerSecond()));
        List<ComparedMetric> all = new ArrayList<>(paced ? latencies : carried);
        // Whoever keeps to a given rate carries what was given: that is no figure to compare by.
        if (!paced || both.stream().anyMatch(ComparedMetric::missed)) {
            all.addAll(paced ? carried : latencies);
        }
        return all;
    }

    private static ComparedMetric latency(
            String name, double percentile, int step, Function<TrialResult, LatencyResult> of) {
        return new ComparedMetric(
                name,
                trial -> of.apply(trial).at(percentile),
                trial -> of.apply(trial).isBound(percentile),
                // Of a nearer one the caveat of the trial says so.
                trial -> percentile == FARTHEST
                        && of.apply(trial).count() > 0
                        && Latency.thin(of.apply(trial).count(), percentile),
                step);
    }

    /** The names of the disturbances of these trials, in order; their seconds are compared before all seconds are. */
    public static List<String> disturbing(List<TrialResult> trials) {
        return trials.stream()
                .flatMap(trial -> trial.disturbances().stream())
                .map(DisturbanceResult::name)
                .distinct()
                .toList();
    }

    /** The name of the primary figure of the seconds of a disturbance. */
    public static String during(String disturbance) {
        return "response p99 during " + disturbance;
    }

    private static ComparedMetric during(String name, double percentile, String disturbance) {
        return latency(name, percentile, 0, trial -> trial.responseDuring(disturbance));
    }

    private static ComparedMetric rate(String name, Function<TrialResult, @Nullable Double> figure) {
        return new ComparedMetric(name, figure, trial -> false, trial -> false, 0);
    }

    private static boolean missed(TrialResult trial) {
        Double offered = trial.figures().offeredPerSecond();
        Double acked = trial.figures().ackedPerSecond();
        return offered == null || acked == null || !RateRule.sustained(RateRule.achieved(trial.figures()));
    }

    private static List<ComparedMetric> ofSteps(List<StepResult> steps, List<TrialResult> a, List<TrialResult> b) {
        double sustained = Math.min(sustained(a), sustained(b));
        // The fastest rate that both sustained is the primary one: below it there is little to see, above it little to
        // trust.
        List<StepResult> ordered = new ArrayList<>(steps);
        ordered.sort(Comparator.comparing(step -> !Objects.equals(step.rate(), sustained)));
        List<ComparedMetric> metrics = new ArrayList<>();
        for (StepResult step : ordered) {
            double rate = Objects.requireNonNull(step.rate());
            boolean common = b.stream().anyMatch(trial -> at(trial, step.step(), rate) != null);
            if (common) {
                metrics.add(latency("response p99 at " + NumberFormat.rate(rate), 99, step.step(), trial -> {
                    StepResult same = at(trial, step.step(), rate);
                    return same == null ? LatencyResult.NONE : same.figures().response();
                }));
            }
        }
        boolean broke = Stream.concat(a.stream(), b.stream()).allMatch(trial -> breaks(trial) != null);
        if (broke) {
            // Behind the primary one.
            metrics.add(
                    Math.min(1, metrics.size()),
                    new ComparedMetric(
                            BreakingPointResult.METRIC, ComparedMetric::breaks, trial -> false, trial -> false, 0));
        }
        delivered(metrics, a, b);
        return metrics;
    }

    /** Ways of delivering events also by what an event feels at the slowest rate of both, and by what it costs. */
    private static void delivered(List<ComparedMetric> metrics, List<TrialResult> a, List<TrialResult> b) {
        if (!Stream.concat(a.stream(), b.stream()).allMatch(TrialResult::delivered)) {
            return;
        }
        StepResult slowest = a.get(0).slowestRising();
        if (slowest != null && slowest.rate() != null) {
            double rate = slowest.rate();
            Function<TrialResult, LatencyResult> e2e = trial -> {
                StepResult same = at(trial, slowest.step(), rate);
                return same == null ? LatencyResult.NONE : same.figures().e2e();
            };
            String at = " at " + NumberFormat.rate(rate);
            metrics.add(latency("e2e p50" + at, 50, slowest.step(), e2e));
            metrics.add(latency("e2e p99" + at, 99, slowest.step(), e2e));
            metrics.add(latency("e2e p99.99" + at, FARTHEST, slowest.step(), e2e));
        }
        metrics.add(CPU);
    }

    private static @Nullable Double breaks(TrialResult trial) {
        BreakingPointResult.@Nullable Found found = BreakingPoints.of(trial);
        return found == null ? null : found.rate();
    }

    private static double sustained(List<TrialResult> trials) {
        if (trials.isEmpty()) {
            return 0;
        }
        LoadCurve.@Nullable Point knee =
                LoadCurve.of(trials.get(0).variant(), trials).knee();
        return knee == null ? 0 : knee.rate();
    }

    private static @Nullable StepResult at(TrialResult trial, int step, double rate) {
        return trial.steps().stream()
                .filter(other -> other.step() == step && other.rate() != null && other.rate() == rate)
                .findFirst()
                .orElse(null);
    }

    /** The figure of every trial; NaN where a trial has none. */
    public double[] values(List<TrialResult> trials) {
        return trials.stream()
                .map(figure)
                .mapToDouble(value -> value == null ? Double.NaN : value)
                .toArray();
    }

    /** The note beside a ratio; empty where nothing has to be said. */
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
        String queues = queues(a, b);
        if (queues.isEmpty() && Stream.concat(a.stream(), b.stream()).anyMatch(thin)) {
            return "fewer than ten messages of a trial lie beyond it";
        }
        return queues;
    }

    /** The remark on a ratio of latencies where the rate was not sustained. */
    private String queues(List<TrialResult> a, List<TrialResult> b) {
        if (step == 0) {
            return "";
        }
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
        return who + ": this compares queues";
    }

    /** Empty where the step was sustained. */
    private String refusal(List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(trials.get(0).variant(), trials);
        return curve.points().stream()
                .filter(point -> point.step() == step && point.state() != StepState.SUSTAINED)
                .findFirst()
                .map(point -> curve.refusal(point) + NumberFormat.rate(point.rate()))
                .orElse("");
    }

    boolean bound(List<TrialResult> trials) {
        return trials.stream().anyMatch(bound);
    }

    /**
     * The geometric mean over the trials, so that the ratio of two is the one that is compared; where it cannot be formed,
     * as of nothing, the median. Null when no trial has it.
     */
    @Nullable Double mean(List<TrialResult> trials) {
        double mean = Welch.geometricMean(values(trials));
        if (Double.isNaN(mean)) {
            return Median.of(trials, figure);
        }
        return mean;
    }
}
