package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.Sentence;
import weir.results.GateOutcome;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.ComparisonResult;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;
import weir.run.Sample;

class StepJudgeTest {
    private static TrialResult trial(double... rates) {
        Sample good = Sample.GOOD;
        List<StepResult> steps = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            steps.add(new StepResult(
                    rates[i], i + 2, rates[i] + "/s", 10.0 * i, 10, good.figures(), null, null, null, null));
        }
        return good.trial("a", 1).with(steps);
    }

    private static List<StepVerdict> judged(TrialResult trial, TrialSeries course, String limit) {
        return new StepJudge(List.of(Sentence.of(limit)), step -> new Numbers(), course, false)
                .judged(trial).stream()
                        .map(StepResult::verdict)
                        .map(Objects::requireNonNull)
                        .toList();
    }

    private static TrialSeries course(double slowFrom, double slowTo) {
        TrialSeries course = new TrialSeries();
        for (int second = 0; second < 60; second++) {
            double p99 = second >= slowFrom && second < slowTo ? 5_000 : 1;
            WindowRow.Spread spread = new WindowRow.Spread(p99, p99, p99, p99);
            course.add(WindowRows.of(
                    second, 2, 100, 100, 0, 0, Map.of(LatencyKind.RESPONSE, spread), Double.NaN, Double.NaN));
            Map<Count, Long> counts = Map.of(Count.DUE, 100L, Count.ACKED, 100L);
            course.add(2 + second / 10, second, Numbers.of(counts));
        }
        return course;
    }

    @Test
    void missedLimitReportsTheMeasuredValue() {
        List<StepVerdict> verdicts = judged(trial(1000), course(0, 0), "response p99 < 1us");
        assertThat(verdicts.get(0).state()).isNotEqualTo(StepState.SUSTAINED);
        assertThat(verdicts.get(0).missed())
                .singleElement()
                .asString()
                .startsWith("response p99 is ")
                .endsWith(", the limit < 1us");
        assertThat(verdicts.get(0).why()).contains("the limit < 1us");
        assertThat(judged(trial(1000), course(0, 0), "response p99 < 100s")
                        .get(0)
                        .missed())
                .isEmpty();
    }

    @Test
    void limitWithoutSamplesIsMissed() {
        assertThat(judged(trial(1000), course(0, 0), "response p95 < 1s").get(0).missed())
                .containsExactly("response p95 < 1s has no samples");
    }

    @Test
    void stepNoFasterThanAnEarlierOneIsARecovery() {
        List<StepVerdict> verdicts = judged(trial(1000, 2000, 100, 2000, 3000), course(20, 24), "lost == 0");
        assertThat(verdicts).extracting(StepVerdict::recovery).containsExactly(false, false, true, true, false);
        assertThat(verdicts.get(2).recoveredAfter()).isEqualTo(4);
        assertThat(verdicts.get(2).text()).endsWith(", recovered after 4 s");
        assertThat(verdicts.get(3).text()).endsWith(", recovered at once");
        assertThat(verdicts.get(0).recoveredAfter()).isNull();
    }

    @Test
    void slowStepAfterABreakIsNotRecovered() {
        assertThat(judged(trial(1000, 100), course(10, 20), "lost == 0").get(1).text())
                .endsWith(", not recovered");
    }

    private static GateOutcome gate(String metric, double low, double high) {
        ComparisonResult worse = new ComparisonResult(
                "B",
                "A",
                null,
                metric,
                1.0,
                1.0,
                (low + high) / 2,
                low,
                high,
                Comparisons.WORSE,
                1.01,
                List.of(),
                "",
                List.of());
        return RunComparisons.Tolerance.gate(0.05, List.of(worse), List.of()).outcome();
    }

    @Test
    void rateRegressesIfItsWholeIntervalIsTooLow() {
        assertThat(gate("acked/s", 0.85, 0.97)).isEqualTo(GateOutcome.OPEN);
        assertThat(gate("acked/s", 0.85, 0.94)).isEqualTo(GateOutcome.REGRESSION);
    }

    @Test
    void latencyRegressesIfItsWholeIntervalIsTooHigh() {
        assertThat(gate("response p99", 1.03, 1.15)).isEqualTo(GateOutcome.OPEN);
        assertThat(gate("response p99", 1.06, 1.15)).isEqualTo(GateOutcome.REGRESSION);
    }
}
