package weir.feature.waterfall;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.waterfall.StepWaterfall.WaterfallPart;
import weir.judge.ProbeSeries;
import weir.judge.trial.JudgedTrial;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** A known delay between real brokers, and the stage that must show it. */
@Tag("alone")
@Timeout(180)
class WaterfallIT {
    private static final double DELAY = 20;

    @TempDir
    Path root;

    @Test
    void replicationDelayAppearsOnlyInTheRemoteStage() throws Exception {
        Path file = Files.writeString(root.resolve("replication.yaml"), """
                name: replication
                question: Where does a delay of 20 ms in replication show?
                cluster: { kafka: 4.4.0, brokers: 2, controllers: 1, heap: 256MiB, jvm: ["-XX:TieredStopAtLevel=1"] }
                topics: { t: { partitions: 2, replication: 2 } }
                load:
                  workload: produce
                  # So slow that no request waits for the one before it, which a broker answers first.
                  rate: { steps: [10/s for 6s, 10/s for 6s] }
                  value: { size: 100B }
                  producer: { acks: all, linger.ms: 0 }
                warmup: 3s
                measure: null
                verify: false
                during:
                  # What comes to broker 2 from the other is late: records to it as a follower, fetches to it as a leader.
                  far: { at: 6s, for: 6s, network: { broker: 2, between: brokers, way: in, delay: 20ms } }
                """);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        String run = new Runner(PlanReader.read(file, Overrides.NONE), options, question -> true)
                .run()
                .run();

        TrialFolder trial = RunFolder.open(Path.of(run)).trials().get(0);
        TrialResult result = JudgedTrial.of(trial).result();
        List<StepWaterfall> steps = TrialWaterfall.of(
                        result, trial.windows(), ProbeSeries.of(trial, TrialWaterfall::isPart))
                .steps();
        assertThat(steps).hasSize(2).allMatch(StepWaterfall::seen);
        Map<WaterfallPart, Double> before = steps.get(0).parts();
        Map<WaterfallPart, Double> delayed = steps.get(1).parts();
        delayed.forEach((part, millis) -> {
            double more = millis - before.getOrDefault(part, 0.0);
            if (part == WaterfallPart.REMOTE) {
                assertThat(more).as(part.word()).isBetween(DELAY - 4, DELAY + 8);
            } else if (part == WaterfallPart.LOCAL) {
                // The first of two steps is less warmed up.
                assertThat(more).as(part.word()).isBetween(-8.0, 3.0);
            } else if (part != WaterfallPart.CLIENT && part != WaterfallPart.NETWORK) {
                // These two parts are means of seconds, regardless of the number of requests in a second.
                assertThat(more).as(part.word()).isBetween(-3.0, 3.0);
            }
        });
        // The median, because the client itself may pause for a moment, which is no stage of a broker.
        assertThat(p50(steps.get(1)) - p50(steps.get(0)))
                .as("the client waits as much longer")
                .isBetween(DELAY - 6, DELAY + 10);
    }

    private static double p50(StepWaterfall step) {
        return Objects.requireNonNull(step.step().figures().response().p50());
    }
}
