package weir.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.judge.TrialFigures.FoundFigure;
import weir.measure.Steps;
import weir.plan.Expectation;
import weir.plan.syntax.CaveatType;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult.StepVerdict.StepState;

/**
 * The judgement whether a trial of a search sustained its rate. The trial must keep every limit, its {@link LoadCurve}
 * must be sustained, and reader lag must not grow ({@link RateRule}). If the rate was not sustained and the generator
 * was late, the judgement names the generator as the bottleneck.
 */
public record AttemptJudge(List<Expectation> limits) {
    private static final List<CaveatType> DISTURBING = List.of(CaveatType.named("host-noisy"), RateRule.GENERATOR_LATE);

    private static final int LAST_WINDOWS = 3;

    public AttemptJudge {
        limits = List.copyOf(limits);
    }

    /**
     * Judges an attempt to confirm a rate. The backlog of an earlier pause of the generator must be gone at the end.
     *
     * @param repeatable whether a refused attempt is repeated if the machine may be the reason
     */
    public Attempt confirmed(
            int trial, double rate, Duration pause, boolean repeatable, Evidence evidence, List<Caveat> caveats) {
        Attempt attempt = of(trial, rate, evidence, caveats, notRecovered(pause, evidence))
                .asConfirmation();
        return attempt.outcome() == Attempt.Outcome.SUSTAINED || !repeatable
                ? attempt
                : caveats.stream()
                        .filter(caveat -> DISTURBING.stream().anyMatch(caveat::is))
                        .findFirst()
                        .map(caveat -> attempt.disturbed(caveat.evidence()))
                        .orElse(attempt);
    }

    public Attempt of(int trial, double rate, Evidence evidence, List<Caveat> caveats) {
        return of(trial, rate, evidence, caveats, "");
    }

    private Attempt of(int trial, double rate, Evidence evidence, List<Caveat> caveats, String notRecovered) {
        List<String> reasons = new ArrayList<>();
        limits.forEach(limit -> limit(limit, evidence, reasons));
        List<LoadCurve.Point> points = LoadCurve.of(evidence.result().variant(), List.of(evidence.result()))
                .points();
        if (points.isEmpty()) {
            reasons.add("no operation succeeded");
        }
        points.stream()
                .filter(point -> point.state() != StepState.SUSTAINED)
                .forEach(point -> reasons.add(point.why()));
        lag(evidence, reasons);
        if (!notRecovered.isEmpty()) {
            reasons.add(notRecovered);
        }
        caveats.stream().filter(Caveat::refuses).map(Caveat::evidence).forEach(reasons::add);
        String failures = FailedOperations.reasons(evidence.result());
        if (!reasons.isEmpty() && !failures.isEmpty()) {
            reasons.add("failed with " + failures);
        }
        boolean late = caveats.stream()
                .anyMatch(caveat -> caveat.is(RateRule.GENERATOR_LATE) || caveat.is(RateRule.RATE_MISSED));
        boolean untested = points.stream().anyMatch(point -> point.state() == StepState.UNTESTED);
        Attempt.Outcome refused = late || untested ? Attempt.Outcome.OURS : Attempt.Outcome.REFUSED;
        Attempt.Outcome outcome = reasons.isEmpty() ? Attempt.Outcome.SUSTAINED : refused;
        if (outcome == Attempt.Outcome.OURS && !untested) {
            LatencyResult lateness = evidence.result().figures().late();
            reasons.add("the generator was late by " + NumberFormat.latency(lateness, 99) + " at p99");
        }
        return new Attempt(trial, rate, evidence.result().seconds(), outcome, String.join(", ", reasons));
    }

    private static void limit(Expectation limit, Evidence evidence, List<String> reasons) {
        String what = (limit.metric().name() + " " + limit.stat()).strip();
        if (limit.byWindow()) {
            ExpectResult result =
                    new ExpectationJudge(List.of(evidence)).of(List.of(limit)).get(0);
            if (!result.passed()) {
                reasons.add(what + " passed in " + (result.found() == null ? "no windows" : result.found()));
            }
            return;
        }
        FoundFigure found = new TrialFigures(limit, evidence).whole();
        if (found.nothing()) {
            reasons.add("the trial has no " + what);
        } else if (!ExpectationJudge.holds(limit, found)) {
            reasons.add(
                    what + " was " + (found.atLeast() ? "≥ " : "") + ExpectationJudge.written(limit, found.value()));
        }
    }

    private static String notRecovered(Duration pause, Evidence evidence) {
        double[] medians = evidence.windows().stream()
                .mapToDouble(row -> row.response().p50())
                .filter(Double::isFinite)
                .toArray();
        if (medians.length == 0) {
            return "";
        }
        double calmest = DoubleStream.of(medians).min().orElseThrow();
        double atTheEnd = DoubleStream.of(medians)
                .skip(Math.max(0, medians.length - LAST_WINDOWS))
                .min()
                .orElseThrow();
        return RateRule.waits(atTheEnd - calmest)
                ? "the queue of a pause of " + NumberFormat.millis((double) pause.toMillis())
                        + " had not drained at the end of the trial: p50 was " + NumberFormat.millis(atTheEnd)
                        + " at the end and "
                        + NumberFormat.millis(calmest) + " in the calmest second"
                : "";
    }

    private static void lag(Evidence evidence, List<String> reasons) {
        @Nullable Double offered = evidence.result().figures().offeredPerSecond();
        List<WindowRow> rows = evidence.windows().stream()
                .filter(row -> row.step() >= Steps.MEASURE)
                .toList();
        double[] lags = rows.stream()
                .mapToDouble(WindowRow::lag)
                .filter(Double::isFinite)
                .toArray();
        double calmest = rows.stream()
                .mapToDouble(row -> row.e2e().p99())
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
        double growth = offered == null ? 0 : RateRule.growth(lags, offered, calmest);
        if (growth > 0) {
            reasons.add("lag grew by " + NumberFormat.rate(growth));
        }
    }
}
