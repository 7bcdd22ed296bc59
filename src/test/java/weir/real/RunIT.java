package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.judge.trial.TrialJudge;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** Whole runs, on real brokers. */
class RunIT {
    @TempDir
    Path root;

    private RunResult run(String yaml, String... set) throws Exception {
        Path file = root.resolve("experiment.yaml");
        Files.writeString(file, yaml);
        Overrides overrides = new Overrides(List.of(set), List.of(), "", "", List.of(), true);
        Experiment experiment = PlanReader.read(file, overrides);
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        return new Runner(experiment, options, question -> false).run();
    }

    private static final String STEPS = """
            name: two-steps
            cluster: { brokers: 1 }
            topics: { t: { partitions: 3 } }
            load: { workload: deliver, value: { size: 200B }, rate: { steps: [500/s for 2s, 2000/s for 3s], rest: 1s } }
            warmup: 2s
            expect: [lost == 0, response p50 < 10s]
            """;

    @Test
    void everyMessageOfAPacedLoadIsAccountedFor() throws Exception {
        RunResult result = run(STEPS);
        assertThat(result.exit()).as(result.toJson()).isIn(0, 4);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.steps()).extracting(StepResult::label).containsExactly("500/s", "2000/s");
        assertThat(trial.steps().get(0).figures().count(Count.DUE)).isEqualTo(1_000);
        assertThat(trial.steps().get(1).figures().count(Count.DUE)).isEqualTo(6_000);
        // On a busy machine the last ones of a step may be too late to be sent.
        long acked = trial.figures().count(Count.ACKED);
        assertThat(acked + trial.figures().count(Count.UNSENT)).isEqualTo(7_000);
        assertThat(acked).isGreaterThan(6_000);
        assertThat(trial.figures().count(Count.RECEIVED)).isEqualTo(acked);
        assertThat(trial.figures().count(Count.LOST)).isZero();
        assertThat(trial.figures().count(Count.DUPLICATED)).isZero();
        assertThat(trial.figures().response().count()).isEqualTo(7_000);
        assertThat(trial.figures().e2e().count()).isEqualTo(acked);
        assertThat(Objects.requireNonNull(trial.steps().get(1).figures().ackedPerSecond()))
                .isBetween(1_700.0, 2_100.0);
        assertThat(Objects.requireNonNull(trial.generator().cpuNanosPerRecord()))
                .isPositive();
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        TrialFolder kept = folder.trials().get(0);
        assertThat(new TrialJudge(kept).judged().result()).isEqualTo(trial).isEqualTo(kept.result());
        assertThat(kept.windows().stream().mapToLong(row -> row.acked()).sum()).isGreaterThanOrEqualTo(acked);
        assertThat(kept.readings())
                .anyMatch(r -> r.source().equals("broker-1") && r.metric().equals("cpu.cores"));
        assertThat(kept.readings())
                .anyMatch(r -> r.source().equals("readers") && r.metric().equals("lag.records"));
        assertThat(folder.machine().facts()).containsKey("kafka");
        assertThat(folder.machine().properties().get("base")).isNotEmpty();
    }

    @Test
    void aWarmUpTakesNoMoreOfABacklogThanItWasGiven() throws Exception {
        RunResult result = run("""
                name: backlog
                cluster: { brokers: 1 }
                load: { workload: consume, backlog: 200k records, value: { size: 100B } }
                warmup: { operations: 50k }
                measure: { operations: 100k }
                """);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.seconds()).isPositive();
        assertThat(Objects.requireNonNull(trial.figures().receivedPerSecond()) * trial.seconds())
                .isBetween(99_999.0, 100_001.0);
        assertThat(trial.figures().count(Count.ACKED)).isEqualTo(200_000);
        assertThat(trial.figures().count(Count.RECEIVED)).isEqualTo(200_000);
        assertThat(trial.figures().count(Count.LOST)).isZero();
        assertThat(trial.figures().count(Count.REREAD)).isZero();
    }
}
