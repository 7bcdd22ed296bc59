package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.measure.Recorder;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.TrialConditions;
import weir.worker.WorkerFailed;

class TrialRecorderTest {
    @Test
    void theLastSecondsOfATrialThatFailsAreKeptWithTheReason(@TempDir Path root) {
        RunFolder run = Trials.folder(root, Instant.EPOCH, Trials.asked("x"));
        Trial trial = SyntheticTrial.of(1, "base", 1);
        try (TrialWriter writer = run.trial(trial, Instant.EPOCH)) {
            TrialRecorder recorder = new TrialRecorder(
                    trial, writer, () -> 2_000_000_000L, 0, 0, new RunListeners(question -> false, List.of()));
            writer.conditions(TrialConditions.NONE);
            Recorder seen = new Recorder(0, 1_000_000_000L, Integer.MAX_VALUE, recorder::window);
            seen.due(2, 1_000_000, 10);
            seen.sent(2, 10, 10, 1_000_000, 1_100_000, 1_200_000, 0, 2_500);
            seen.acked(2, 10, 10, 1_000_000, 1_100_000, 6_000_000, 2_500);
            seen.close();
            TrialFolder begun = run.trials().get(0);
            assertThat(begun.windows()).as("may still get parts").isEmpty();
            recorder.failed(new WorkerFailed("worker 7 ended with exit code 3"), "worker 7 ended with exit code 3");
            JudgedTrial judged = JudgedTrial.of(begun);
            assertThat(judged.result().figures().count(Count.ACKED)).isEqualTo(10);
            assertThat(judged.caveats())
                    .filteredOn(caveat -> caveat.is(CaveatType.named("interrupted")))
                    .singleElement()
                    .extracting(Caveat::evidence)
                    .asString()
                    .contains("worker 7 ended with exit code 3");
        }
    }
}
