package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** A broker that is killed amid a trial at its second, and comes back at another. */
class TimelineIT {
    @TempDir
    Path root;

    @Test
    void aBrokerDiesUnderALoadAndComesBackAndNothingIsLost() throws Exception {
        Path file = Files.writeString(root.resolve("crash.yaml"), """
                name: crash
                cluster:
                  brokers: 3
                  controllers: 1
                  heap: 256MiB
                  broker: { broker.session.timeout.ms: 3000, broker.heartbeat.interval.ms: 300 }
                topics: { t: { partitions: 3, replication: 3, config: { min.insync.replicas: 2 } } }
                load: { workload: deliver, rate: 300/s, value: { size: 100B } }
                warmup: 2s
                measure: 12s
                during: { crash: { at: 3s, for: 4s, kill: broker 2 } }
                expect: [lost == 0, response p99 during crash > 10ms]
                """);
        Experiment experiment = PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), true));
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> false).run();

        assertThat(result.trials()).as(result.toJson()).hasSize(1);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.figures().count(Count.LOST)).isZero();
        assertThat(result.expect()).as(result.toJson()).allMatch(expect -> expect.passed());
        DisturbanceResult crash = trial.disturbances().get(0);
        assertThat(crash.name()).isEqualTo("crash");
        assertThat(crash.from()).isEqualTo(trial.steps().get(0).from() + 3);
        assertThat(Objects.requireNonNull(crash.to())).isEqualTo(crash.from() + 4);
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        String log = Files.readString(folder.path().resolve("trials/01-base-1/brokers/broker-2.log"));
        assertThat(Pattern.compile("Transition from SHUTDOWN to STARTING")
                        .matcher(log)
                        .results())
                .as("broker 2 started twice")
                .hasSize(2);
        assertThat(HtmlReport.of(folder)).contains("crash: broker 2 is killed");
    }
}
