package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.results.Trials;
import weir.results.value.TrialResult;

class StepSectionTest {
    @Test
    void aStepThatNeverDrainedSaysWhatDidNotCome() {
        TrialResult calm = Trials.stepped("a", 1, new double[][] {{100, 100, 2}});
        assertThat(StepSection.drained(Trials.unsent(calm, 40).steps())).isEqualTo("never: 40 unsent");
        assertThat(StepSection.drained(calm.steps())).as("not known").isEqualTo("–");
    }
}
