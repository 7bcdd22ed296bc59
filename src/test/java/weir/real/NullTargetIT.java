package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.start.NullCluster;
import weir.measure.Count;
import weir.plan.CaveatType;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.TrialResult;
import weir.run.RunListener;
import weir.run.RunOptions;
import weir.run.Runner;

/** The speed of engines that no broker holds back, through the real worker and the real sink. */
class NullTargetIT {
    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(strings = {"client", "wire"})
    void sinkAcknowledgesWhatAnEngineSendsAndKeepsNothing(String engine) throws Exception {
        RunResult result = run("""
                name: sink
                topics: { t: { partitions: 3 } }
                load: { engine: ENGINE, target: null, producers: 2, rate: 5k/s, value: { size: 200B } }
                warmup: 1s
                measure: 2s
                """.replace("ENGINE", engine), true);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.figures().count(Count.DUE)).as(result.toJson()).isEqualTo(10_000);
        assertThat(trial.figures().count(Count.ACKED))
                .isEqualTo(trial.figures().count(Count.SENT))
                .isGreaterThan(5_000);
        assertThat(trial.figures().count(Count.FAILED)).isZero();
        assertThat(trial.figures().count(Count.RECEIVED)).isNull();
        assertThat(trial.figures().count(Count.LOST)).isNull();
        assertThat(trial.generator().ceilingNote()).isEqualTo("the target is null itself");
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        assertThat(folder.machine().facts()).containsEntry("kafka", NullCluster.VERSION);
        assertThat(result.caveats()).noneMatch(caveat -> caveat.is(CaveatType.PAGE_CACHE_ABSORBED_THE_WRITES));
    }

    @Test
    void runOfAMinuteKnowsItsOwnCeilingAlsoWhenItIsInterrupted() throws Exception {
        RunResult result = run("""
                name: ceiling
                cluster: { brokers: 1 }
                load: { engine: wire, rate: 1k/s, value: { size: 200B } }
                warmup: 1s
                measure: 60s
                """, false);
        TrialResult trial = result.trials().get(0);
        Double ceiling = trial.generator().ceilingPerSecond();
        if (ceiling == null) {
            // Tests beside this one may leave it less than half a core, and it has to say so.
            assertThat(trial.generator().ceilingNote()).startsWith("not known: the generator used only 0.");
        } else {
            assertThat(ceiling).isGreaterThan(trial.mostAckedPerSecond());
            assertThat(trial.generator().ceilingNote()).isEmpty();
        }
    }

    /** As soon as something is measured in a trial of some length, it is interrupted. */
    private RunResult run(String yaml, boolean shortened) throws Exception {
        Path file = root.resolve("experiment.yaml");
        Files.writeString(file, yaml);
        Experiment experiment =
                PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), shortened));
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        AtomicReference<Runner> runner = new AtomicReference<>();
        RunListener listener = new RunListener() {
            @Override
            public boolean agrees(String question) {
                return false;
            }

            @Override
            public void phase(Trial trial, String phase, Duration expected) {
                if (phase.equals("measure") && expected.toSeconds() >= 60) {
                    Objects.requireNonNull(runner.get()).interrupt();
                }
            }
        };
        runner.set(new Runner(experiment, options, listener));
        return Objects.requireNonNull(runner.get()).run();
    }
}
