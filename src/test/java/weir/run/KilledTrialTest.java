package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.value.Caveat;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;

/** A trial whose files end at some second, compared with the same trial that ran to its end. */
class KilledTrialTest {
    private static final int WARMUP = 2;
    private static final int STEP = 5;
    private static final int SECONDS = WARMUP + 3 * STEP;

    @TempDir
    private static Path written;

    private static Path run = Path.of("");

    @TempDir
    Path dir;

    private TrialFolder whole;
    private Path trial = Path.of("");

    @BeforeAll
    static void conduct() throws IOException {
        FakeLab lab = new FakeLab(written.resolve("state"));
        lab.capacity = 4_000;
        String plan = """
                cluster: { fresh: run }
                load: { rate: { steps: [1000/s for 5s, 2000/s for 5s, 8000/s for 5s] } }
                warmup: 2s
                measure: null
                repeat: 2
                search: { breaking-point: { limits: [response p99 < 500ms] } }
                """;
        run = Path.of(lab.run(written, plan, new ArrayList<>()).run());
    }

    @BeforeEach
    void copy() throws IOException {
        whole = RunFolder.open(run).trials().get(0);
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = dir.resolve(run.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        trial = dir.resolve(run.relativize(whole.path()).toString());
    }

    /** Returns the files of a trial that is killed at the end of this second. */
    private TrialFolder cut(int second) throws IOException {
        for (String file : List.of("trial.json", "caveats.json", "spectrum.csv", "end.json")) {
            Files.delete(trial.resolve(file));
        }
        for (String file : List.of("windows.csv", "counts.csv", "probes.csv", "events.csv")) {
            List<String> lines = Files.readAllLines(trial.resolve(file));
            keep(
                    file,
                    Stream.concat(
                            lines.stream().limit(1), lines.stream().skip(1).filter(line -> before(line, 0, second))));
        }
        keep(
                "latency.hlog",
                Files.readAllLines(trial.resolve("latency.hlog")).stream()
                        .filter(line -> !line.startsWith("Tag=") || before(line, 1, second)));
        return RunFolder.open(dir).trials().get(0);
    }

    private static boolean before(String line, int cell, int second) {
        return Double.parseDouble(line.split(",", -1)[cell]) < second;
    }

    private void keep(String file, Stream<String> lines) throws IOException {
        Files.write(trial.resolve(file + ".part"), lines.toList());
        Files.delete(trial.resolve(file));
    }

    static IntStream seconds() {
        return IntStream.rangeClosed(WARMUP + 1, SECONDS + 1);
    }

    @ParameterizedTest
    @MethodSource("seconds")
    void itsStepsHaveTheVerdictsOfTheWholeTrial(int second) throws IOException {
        JudgedTrial killed = JudgedTrial.of(cut(second));
        List<StepResult> steps = killed.result().steps();
        int measured = Math.min(second, SECONDS) - WARMUP;
        assertThat(killed.result().seconds()).isEqualTo(measured);
        assertThat(steps).hasSize((measured + STEP - 1) / STEP);
        for (int i = 0; i < steps.size(); i++) {
            StepResult ended = whole.result().steps().get(i);
            assertThat(steps.get(i).from()).isEqualTo(ended.from());
            assertThat(steps.get(i).seconds()).isEqualTo(Math.min(STEP, measured - i * STEP));
            assertThat(steps.get(i).rate()).isEqualTo(ended.rate());
            assertThat(steps.get(i).figures().ackedPerSecond())
                    .isEqualTo(ended.figures().ackedPerSecond());
            assertThat(steps.get(i).figures().count(Count.LOST)).isNull();
            assertThat(state(steps.get(i))).isEqualTo(state(ended));
        }
    }

    private static StepState state(StepResult step) {
        return Objects.requireNonNull(step.verdict()).state();
    }

    @Test
    void theWholeTrialHoldsTwoStepsAndBreaksAtTheThird() {
        assertThat(whole.result().steps())
                .extracting(KilledTrialTest::state)
                .containsExactly(StepState.SUSTAINED, StepState.SUSTAINED, StepState.BROKEN);
    }

    @Test
    void limitsAreMissedByTheStepThatWasCut() throws IOException {
        StepVerdict verdict = Objects.requireNonNull(
                JudgedTrial.of(cut(SECONDS - 1)).result().steps().get(2).verdict());
        assertThat(verdict.missed()).singleElement().asString().startsWith("response p99 is ");
    }

    @Test
    void itsCaveatsAreThoseOfTheWholeTrialAndThatItWasCut() throws IOException {
        List<String> ended =
                whole.caveats().stream().map(Caveat::type).distinct().toList();
        assertThat(ended).contains("first-trial-cold", "shared-cores");
        assertThat(JudgedTrial.of(cut(SECONDS)).caveats().stream()
                        .map(Caveat::type)
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(Stream.of("interrupted"), ended.stream()).toList());
    }

    @Test
    void trialKilledInItsWarmUpIsInterruptedWithoutSteps() throws IOException {
        JudgedTrial killed = JudgedTrial.of(cut(WARMUP));
        assertThat(killed.result().steps()).isEmpty();
        assertThat(killed.caveats()).extracting(Caveat::type).containsExactly("nothing-measured", "interrupted");
    }

    @Test
    void aTrialIsNotJudgedWithoutItsConditions() throws IOException {
        Path conditions = trial.resolve("conditions.json");
        Files.delete(conditions);
        TrialFolder cut = cut(SECONDS);
        assertThatThrownBy(() -> JudgedTrial.of(cut))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("conditions.json");
    }
}
