package weir.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import weir.plan.Expectation;
import weir.plan.Expectation.Operator;
import weir.results.ExpectResult;
import weir.results.Figures;
import weir.results.LatencyResult;
import weir.results.StepResult;
import weir.results.TrialResult;

/**
 * Holds the expectations against the trials. A variant's figure is the median over its trials, a count is that of its
 * worst trial. A sentence that finds no samples fails.
 */
final class Verdicts {
    static final String HELD = "held";
    static final String FAILED = "failed";

    private final List<TrialResult> trials;

    Verdicts(List<TrialResult> trials) {
        this.trials = List.copyOf(trials);
    }

    List<ExpectResult> of(List<Expectation> expectations) {
        List<ExpectResult> results = new ArrayList<>();
        for (Expectation expectation : expectations) {
            if (expectation.of().isEmpty()) {
                // Said of no variant in particular, it is said of each.
                variants().forEach(variant -> results.add(judge(expectation, variant)));
            } else {
                results.add(judge(expectation, expectation.of()));
            }
        }
        return results;
    }

    private List<String> variants() {
        return trials.stream().map(TrialResult::variant).distinct().toList();
    }

    private ExpectResult judge(Expectation e, String variant) {
        double value = figure(e, variant);
        if (!e.over().isEmpty()) {
            value /= figure(e, e.over());
        }
        String text = e.of().isEmpty() && variants().size() > 1 ? e.text() + " (" + variant + ")" : e.text();
        boolean known = Double.isFinite(value);
        return new ExpectResult(text, known && holds(e, value) ? HELD : FAILED, known ? value : null, null, null);
    }

    private double figure(Expectation e, String variant) {
        double[] values = trials.stream()
                .filter(trial -> trial.variant().equals(variant))
                .mapToDouble(trial -> figure(e, trial))
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        if (values.length == 0) {
            return Double.NaN;
        }
        // No trial may hide behind the others.
        if (e.counts()) {
            boolean atLeast = e.operator() == Operator.ABOVE || e.operator() == Operator.AT_LEAST;
            return atLeast ? values[0] : values[values.length - 1];
        }
        return median(values);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double figure(Expectation e, TrialResult trial) {
        if (e.during().isEmpty() || e.during().equals("measure")) {
            return figure(e, trial.figures());
        }
        List<StepResult> steps = trial.steps().stream()
                .filter(step -> step.label().equals(e.during()))
                .toList();
        return steps.isEmpty() ? Double.NaN : figure(e, steps, e.counts());
    }

    // A pace may come back to the same rate: counts of its steps add up, of the others the worst is judged.
    private static double figure(Expectation e, List<StepResult> steps, boolean count) {
        double[] values = steps.stream()
                .mapToDouble(step -> figure(e, step.figures()))
                .filter(value -> !Double.isNaN(value))
                .toArray();
        if (values.length == 0) {
            return Double.NaN;
        }
        return count ? Arrays.stream(values).sum() : Arrays.stream(values).max().getAsDouble();
    }

    private static double figure(Expectation e, Figures f) {
        return switch (e.metric()) {
            case "response" -> seconds(f.response(), e.stat());
            case "service" -> seconds(f.service(), e.stat());
            case "e2e" -> seconds(f.e2e(), e.stat());
            case "late" -> seconds(f.late(), e.stat());
            case "held" -> seconds(f.held(), e.stat());
            case "blocked" -> seconds(f.blocked(), e.stat());
            case "lag" -> lag(e, f);
            case "offered/s" -> of(f, Figures::offeredPerSecond);
            case "acked/s" -> of(f, Figures::ackedPerSecond);
            case "received/s" -> of(f, Figures::receivedPerSecond);
            case "MiB/s" -> of(f, Figures::mebibytesPerSecond);
            case "achieved" -> achieved(f);
            default -> count(e.metric(), f);
        };
    }

    private static double count(String metric, Figures f) {
        @Nullable Long value = switch (metric) {
            case "due" -> f.due();
            case "unsent" -> f.unsent();
            case "sent" -> f.sent();
            case "acked" -> f.acked();
            case "failed" -> f.failed();
            case "aborted" -> f.aborted();
            case "unresolved" -> f.unresolved();
            case "received" -> f.received();
            case "unread" -> f.unread();
            case "lost" -> f.lost();
            case "duplicated" -> f.duplicated();
            case "reread" -> f.reread();
            case "reordered" -> f.reordered();
            case "ghosts" -> f.ghosts();
            case "foreign" -> f.foreign();
            default -> throw new AssertionError("the plan let through the metric '" + metric + "'");
        };
        return value == null ? Double.NaN : value;
    }

    private interface Rate {
        @Nullable Double of(Figures figures);
    }

    private static double of(Figures figures, Rate rate) {
        @Nullable Double value = rate.of(figures);
        return value == null ? Double.NaN : value;
    }

    /** What was acknowledged (or, where nothing is sent, received) of what was due. */
    static double achieved(Figures f) {
        @Nullable Double offered = f.offeredPerSecond();
        @Nullable Double acked = f.ackedPerSecond();
        return offered == null || acked == null || offered == 0 ? Double.NaN : acked / offered;
    }

    private static double lag(Expectation e, Figures f) {
        if (e.unit() == Expectation.Unit.SECONDS) {
            return f.lag().maxSeconds() == null
                    ? Double.NaN
                    : Objects.requireNonNull(f.lag().maxSeconds());
        }
        @Nullable Long value = e.stat().equals("end") ? f.lag().end() : f.lag().max();
        return value == null ? Double.NaN : value;
    }

    private static double seconds(LatencyResult latency, String stat) {
        ToDoubleFunction<@Nullable Double> toSeconds = millis -> millis == null ? Double.NaN : millis / 1e3;
        return switch (stat.toLowerCase(Locale.ROOT)) {
            case "p50" -> toSeconds.applyAsDouble(latency.p50());
            case "p90" -> toSeconds.applyAsDouble(latency.p90());
            case "p99" -> thin(latency, 100) ? Double.NaN : toSeconds.applyAsDouble(latency.p99());
            case "p99.9" -> thin(latency, 1_000) ? Double.NaN : toSeconds.applyAsDouble(latency.p999());
            case "p99.99" -> thin(latency, 10_000) ? Double.NaN : toSeconds.applyAsDouble(latency.p9999());
            case "max" -> toSeconds.applyAsDouble(latency.max());
            case "mean" -> toSeconds.applyAsDouble(latency.mean());
            default -> Double.NaN;
        };
    }

    /** Whether fewer than ten samples lie beyond the percentile that leaves one in {@code one}. */
    private static boolean thin(LatencyResult latency, long one) {
        return latency.count() < 10 * one;
    }

    private static boolean holds(Expectation e, double value) {
        return switch (e.operator()) {
            case BELOW -> value < e.value();
            case AT_MOST -> value <= e.value();
            case ABOVE -> value > e.value();
            case AT_LEAST -> value >= e.value();
            case EQUAL -> value == e.value();
            case SAME_WITHIN -> Math.abs(value - 1) <= e.value();
        };
    }
}
