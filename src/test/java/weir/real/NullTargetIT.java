package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.start.NullCluster;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** The speed of engines without a broker, through the real worker and the real sink. */
class NullTargetIT {
    @TempDir
    Path root;

    @Test
    void sinkAcknowledgesRecordsAndStoresNothing() throws Exception {
        Path file = root.resolve("experiment.yaml");
        Files.writeString(file, """
                name: sink
                topics: { t: { partitions: 3 } }
                load: { target: null, producers: 2, rate: 5k/s, value: { size: 200B } }
                warmup: 1s
                measure: 2s
                variants:
                  client: {}
                  wire: { load: { engine: wire } }
                """);
        Experiment experiment = PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), true));
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> false).run();
        assertThat(result.trials()).hasSize(2);
        for (TrialResult trial : result.trials()) {
            assertThat(trial.figures().count(Count.DUE)).as(result.toJson()).isEqualTo(10_000);
            assertThat(trial.figures().count(Count.ACKED))
                    .isEqualTo(trial.figures().count(Count.SENT))
                    .isGreaterThan(5_000);
            assertThat(trial.figures().count(Count.FAILED)).isZero();
            assertThat(trial.figures().count(Count.RECEIVED)).isNull();
            assertThat(trial.figures().count(Count.LOST)).isNull();
            assertThat(trial.generator().ceilingNote()).isEqualTo("the target is already null");
        }
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        assertThat(folder.machine().facts()).containsEntry("kafka", NullCluster.VERSION);
        assertThat(result.caveats()).noneMatch(caveat -> caveat.is(CaveatType.named("page-cache-absorbed-the-writes")));
    }
}
