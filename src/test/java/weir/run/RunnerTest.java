package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.CaveatType;
import weir.plan.Experiment;
import weir.plan.Trial;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.Caveat;
import weir.results.RunResult;
import weir.results.TrialResult;
import weir.worker.WorkerFailed;

/** Conducting, on a clock that only loads turn and a lab of fakes. */
class RunnerTest {
    private static final String PACED = """
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            """;

    @TempDir
    Path dir;

    private FakeLab lab = new FakeLab(Path.of(""));
    private final Heard heard = new Heard();
    private @Nullable Runner runner;

    /** A listener that keeps what it hears. */
    private static final class Heard implements RunListener {
        final List<String> trials = new ArrayList<>();
        final List<String> notes = new ArrayList<>();
        final List<String> unfinished = new ArrayList<>();

        @Override
        public boolean agrees(String question) {
            return false;
        }

        @Override
        public void trial(Trial trial, int of) {
            trials.add(trial.variant().name() + " " + trial.repeat());
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        public void unfinished(String command) {
            unfinished.add(command);
        }
    }

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
    }

    private RunResult run(String plan) throws IOException {
        return run(plan, 0, RunOptions.NEW);
    }

    private RunResult run(String plan, double maxSeconds, Path resume) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options =
                new RunOptions(dir.resolve("runs"), true, 0, maxSeconds, resume, "test", "weir run e.yaml", false);
        runner = new Runner(experiment, options, heard, notes -> lab);
        return runner.run();
    }

    private static List<String> trials(RunResult result) {
        return result.trials().stream().map(TrialResult::variant).toList();
    }

    @Test
    void aTrialWhoseWorkerFailsKeepsWhatItMeasuredAndTheRunEndsThere() throws IOException {
        lab.in(1, 5, () -> {
            throw new WorkerFailed("worker 7 ended with exit code 3");
        });
        RunResult result = run(PACED + "repeat: 2\n");
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(result.conclusion().answer())
                .startsWith("Unfinished, so there is no answer: acked 1,000/s")
                .contains("over 3 s");
        assertThat(result.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.INTERRUPTED))
                .singleElement()
                .extracting(Caveat::evidence)
                .asString()
                .startsWith("the trial did not come to its end (worker 7 ended with exit code 3)");
        assertThat(heard.trials).hasSize(1);
        assertThat(heard.notes)
                .anyMatch(note -> note.startsWith("trial 01-base-1 failed: worker 7 ended with exit code 3"));
        assertThat(heard.unfinished).hasSize(1);
    }

    @Test
    void aFixedListOfTrialsRunsInItsOrder() throws IOException {
        RunResult result = run(PACED + "variants: { a: {}, b: { load: { rate: 500/s } } }\n");
        assertThat(result.exit()).as("%s", result.caveats()).isZero();
        assertThat(trials(result)).containsExactly("a", "b");
        assertThat(result.trials().get(0).figures().ackedPerSecond()).isEqualTo(1_000);
        assertThat(result.trials().get(1).figures().ackedPerSecond()).isEqualTo(500);
        assertThat(result.trials()).allSatisfy(trial -> {
            assertThat(trial.figures().lost()).isZero();
            assertThat(trial.figures().violations()).isEmpty();
        });
        assertThat(heard.unfinished).isEmpty();
    }
}
