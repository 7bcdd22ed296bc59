package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.Trials;
import weir.results.value.TrialResult;

class LoadCurveSectionTest {
    @TempDir
    Path dir;

    @Test
    void aSpreadOfLowerBoundsIsMarked() {
        SyntheticRun run = new SyntheticRun(dir, List.of("a"), 2, new double[] {10_000}, 3);
        assertThat(Contradictions.text(HtmlReport.of(run.write())))
                .containsPattern("a, spread \\|  \\| [0-9.]+ – [0-9.]+ ms, [0-9.]+×");
        assertThat(Contradictions.text(HtmlReport.of(run.neverEnded().write())))
                .containsPattern("a, spread \\|  \\| ≥ [0-9.]+ – ≥ [0-9.]+ ms \\|");
    }

    @Test
    void aStepThatNeverDrainedSaysWhatDidNotCome() {
        TrialResult calm = Trials.stepped("a", 1, new double[][] {{100, 100, 2}});
        assertThat(LoadCurveSection.drained(Trials.unsent(calm, 40).steps())).isEqualTo("never: 40 unsent");
        assertThat(LoadCurveSection.drained(calm.steps())).as("not known").isEqualTo("–");
    }
}
