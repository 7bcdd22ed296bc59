package weir.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A figure to compare trials by, and whether more of it is better. */
record ComparedMetric(String name, boolean moreIsBetter, Function<TrialResult, @Nullable Double> figure) {
    /** Messages that a percentile needs, so that ten lie beyond it. */
    private static final long FOR_P999 = 10_000;

    /** Paced loads are compared by response p99, closed loops by how much they carry; the first one is the primary. */
    static List<ComparedMetric> of(List<TrialResult> a, List<TrialResult> b) {
        List<StepResult> steps = a.isEmpty() ? List.of() : a.get(0).steps();
        boolean paced = !steps.isEmpty() && steps.stream().allMatch(step -> step.rate() != null);
        if (paced && steps.size() > 1) {
            return ofSteps(steps, a, b);
        }
        List<TrialResult> both = Stream.concat(a.stream(), b.stream()).toList();
        List<ComparedMetric> latencies = new ArrayList<>();
        latencies.add(response("p99", LatencyResult::p99));
        latencies.add(response("p50", LatencyResult::p50));
        if (both.stream().allMatch(trial -> trial.figures().response().count() >= FOR_P999)) {
            latencies.add(response("p99.9", LatencyResult::p999));
        }
        latencies.add(new ComparedMetric(
                "e2e p99", false, trial -> trial.figures().e2e().p99()));
        List<ComparedMetric> carried = List.of(
                new ComparedMetric("acked/s", true, trial -> trial.figures().ackedPerSecond()),
                new ComparedMetric("received/s", true, trial -> trial.figures().receivedPerSecond()));
        List<ComparedMetric> all = new ArrayList<>(paced ? latencies : carried);
        // Whoever keeps to a given rate carries what was given: that is no figure to compare by.
        if (!paced || both.stream().anyMatch(ComparedMetric::missed)) {
            all.addAll(paced ? carried : latencies);
        }
        return all;
    }

    private static ComparedMetric response(String stat, Function<LatencyResult, @Nullable Double> figure) {
        return new ComparedMetric(
                "response " + stat, false, trial -> figure.apply(trial.figures().response()));
    }

    private static boolean missed(TrialResult trial) {
        Double offered = trial.figures().offeredPerSecond();
        Double acked = trial.figures().ackedPerSecond();
        return offered == null || acked == null || acked < LoadCurve.HELD_SHARE * offered;
    }

    private static List<ComparedMetric> ofSteps(List<StepResult> steps, List<TrialResult> a, List<TrialResult> b) {
        double held = Math.min(held(a), held(b));
        // The fastest rate that both held is the primary one: below it there is little to see, above it little to
        // trust.
        List<StepResult> ordered = new ArrayList<>(steps);
        ordered.sort(Comparator.comparing(step -> !Objects.equals(step.rate(), held)));
        List<ComparedMetric> metrics = new ArrayList<>();
        for (StepResult step : ordered) {
            double rate = Objects.requireNonNull(step.rate());
            boolean common = b.stream().anyMatch(trial -> at(trial, step.step(), rate) != null);
            if (common) {
                metrics.add(new ComparedMetric("response p99 at " + Written.rate(rate), false, trial -> {
                    StepResult same = at(trial, step.step(), rate);
                    return same == null ? null : same.figures().response().p99();
                }));
            }
        }
        return metrics;
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

    /** Of every trial; NaN where a trial has none. */
    double[] values(List<TrialResult> trials) {
        return trials.stream()
                .map(figure)
                .mapToDouble(value -> value == null ? Double.NaN : value)
                .toArray();
    }

    /** The median over the trials, null when none has it. */
    @Nullable Double median(List<TrialResult> trials) {
        return LoadCurve.median(trials, figure);
    }
}
