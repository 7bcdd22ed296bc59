package weir.judge.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.measure.Reading;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.Figures;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class CostPerRecordTest {
    private final List<Reading> readings = new ArrayList<>();

    private void tell(int from, int to, String source, String metric, double value) {
        for (int second = from; second < to; second++) {
            readings.add(new Reading(second, source, metric, value));
        }
    }

    private TrialJudge.CostPerRecord cost(TrialResult trial) {
        return TrialJudge.CostPerRecord.of(ProbeSeries.of(readings), trial);
    }

    @Test
    void costPerRecordUsesSustainedSteps() {
        // Ten seconds each; the third step breaks.
        TrialResult trial = Trials.stepped("base", 1, new double[][] {{100, 100, 2}, {300, 300, 2}, {500, 200, 900}});
        tell(0, 10, "channel", "cpu.cores", 0.1);
        tell(10, 20, "channel", "cpu.cores", 0.3);
        tell(20, 30, "channel", "cpu.cores", 5);
        assertThat(cost(trial).cpuMicros()).containsOnlyKeys("channel").containsEntry("channel", 1_000.0);
    }

    @Test
    void costSumsProcessesOfAKindAndSkipsSilentOnes() {
        TrialResult trial = Trials.stepped("base", 1, new double[][] {{100, 100, 2}});
        tell(0, 10, "subscriber-1", "cpu.cores", 0.1);
        tell(0, 10, "subscriber-2", "cpu.cores", 0.2);
        tell(0, 10, "filter", "allocated.bytes.per.s", 50_000);
        tell(0, 10, "host", "cpu.cores", 2);
        assertThat(cost(trial).cpuMicros()).containsOnlyKeys("subscriber");
        assertThat(Math.round(cost(trial).cpuMicros().getOrDefault("subscriber", 0.0)))
                .isEqualTo(3_000);
        assertThat(cost(trial).allocatedBytes()).containsOnlyKeys("filter").containsEntry("filter", 500.0);
    }

    @Test
    void costPerRecordUsesAllStepsIfNoneIsSustained() {
        TrialResult trial = Trials.stepped("base", 1, new double[][] {{100, 50, 2}, {200, 50, 2}});
        tell(0, 20, "ingress", "cpu.cores", 0.05);
        assertThat(cost(trial).cpuMicros()).containsEntry("ingress", 1_000.0);
    }

    @Test
    void recordAckedInOneStepAndReceivedInTheNextCountsOnce() {
        TrialResult trial = Trials.stepped("base", 1, new double[][] {{100, 50, 2}, {200, 50, 2}});
        List<StepResult> later = new ArrayList<>();
        for (StepResult step : trial.steps()) {
            Figures figures = step.figures().with(RateKind.RECEIVED, later.isEmpty() ? 10 : 90);
            later.add(RecordKeys.with(step, Map.of("figures", figures)));
        }
        tell(0, 20, "ingress", "cpu.cores", 0.05);
        assertThat(cost(trial.with(later)).cpuMicros()).containsEntry("ingress", 1_000.0);
    }
}
