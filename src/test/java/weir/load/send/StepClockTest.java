package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import weir.measure.Steps;

class StepClockTest {
    private final StepClock steps = new StepClock();

    StepClockTest() {
        steps.begin(Steps.WARMUP, 100, Long.MAX_VALUE);
        steps.begin(Steps.MEASURE, 200, 300);
        steps.begin(Steps.MEASURE + 1, 350, Long.MAX_VALUE);
    }

    @Test
    void aMessageBelongsToTheLastStepThatBeganBeforeItWasDue() {
        assertThat(steps.stepAt(99)).isEqualTo(Steps.FILL);
        assertThat(steps.stepAt(100)).isEqualTo(Steps.WARMUP);
        assertThat(steps.stepAt(349)).isEqualTo(Steps.MEASURE);
        assertThat(steps.stepAt(350)).isEqualTo(Steps.MEASURE + 1);
    }

    @Test
    void noStepRunsInARestOrAfterTheEnd() {
        steps.end(500);
        assertThat(steps.runningAt(299)).isEqualTo(Steps.MEASURE);
        assertThat(steps.runningAt(300)).isEqualTo(StepClock.NONE);
        assertThat(steps.runningAt(499)).isEqualTo(Steps.MEASURE + 1);
        assertThat(steps.runningAt(500)).isEqualTo(StepClock.NONE);
    }

    @Test
    void stepsDoNotGoBack() {
        assertThatThrownBy(() -> steps.begin(Steps.MEASURE, 400, 500))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot begin before");
    }
}
