package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import weir.judge.TrialFigures.FoundFigure;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.Expectation;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/** The judge of a trial's steps by the rule of {@link LoadCurve}, by limits, and by the recovery from higher rates. */
public record StepJudge(List<Expectation> limits, IntFunction<Numbers> numbers, TrialSeries course, boolean reads) {
    public StepJudge {
        limits = List.copyOf(limits);
    }

    public List<StepResult> judged(TrialResult trial) {
        List<StepResult> limited = trial.steps().stream()
                .map(step -> step.paced()
                        ? step.with(new StepVerdict(StepState.SUSTAINED, "", missed(step, trial), false, null))
                        : step)
                .toList();
        LoadCurve curve = LoadCurve.of(trial.variant(), List.of(trial.with(limited)));
        double calm = RateRule.notSlowMillis(curve.lowestP99());
        List<StepResult> judged = new ArrayList<>();
        double highest = 0;
        for (StepResult step : limited) {
            StepVerdict unjudged = step.verdict();
            Double rate = step.rate();
            if (unjudged == null || rate == null) {
                judged.add(step);
                continue;
            }
            LoadCurve.Point point = curve.points().stream()
                    .filter(one -> one.step() == step.step())
                    .findFirst()
                    .orElseThrow();
            boolean recovery = rate <= highest;
            highest = Math.max(highest, rate);
            @Nullable Double after = recovery ? course.calmAfter(step, calm, reads) : null;
            judged.add(step.with(new StepVerdict(point.state(), point.why(), unjudged.missed(), recovery, after)));
        }
        return judged;
    }

    private List<String> missed(StepResult step, TrialResult trial) {
        List<String> missed = new ArrayList<>();
        for (Expectation limit : limits) {
            FoundFigure found =
                    new TrialFigures(limit, new OfStep(trial.with(step), numbers.apply(step.step()))).whole();
            if (found.nothing()) {
                missed.add(limit.text() + " has no samples");
            } else if (!ExpectationJudge.holds(limit, found)) {
                missed.add(named(limit) + " is " + (found.atLeast() ? "≥ " : "")
                        + ExpectationJudge.written(limit, found.value()) + ", the limit "
                        + limit.text().substring(named(limit).length()).strip());
            }
        }
        return missed;
    }

    private static String named(Expectation limit) {
        return limit.stat().isEmpty() ? limit.metric().name() : limit.metric().name() + " " + limit.stat();
    }

    private record OfStep(TrialResult result, Numbers numbers) implements Evidence {
        @Override
        public SortedMap<String, Latency> latencies() {
            SortedMap<String, Latency> latencies = new TreeMap<>();
            int step = result.steps().get(0).step();
            for (LatencyKind metric : LatencyKind.values()) {
                latencies.put(metric.word() + "@" + step, numbers.latency(metric));
            }
            return latencies;
        }
    }
}
