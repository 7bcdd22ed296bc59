package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.BreakingPointResult;
import weir.results.value.Event;
import weir.results.value.StepResult;
import weir.results.value.StepState;
import weir.results.value.StepVerdict;
import weir.run.RunOptions;
import weir.run.Runner;

/**
 * A network that carries 200 kB a second breaks at the step that asks for twice as much, and is fine again afterwards. So
 * little needs no fast machine, nor one that is ours alone.
 */
@Timeout(120)
class BreakTruthIT {
    private static final String PACE = """
            name: break
            topics: { t: {} }
            load:
              workload: produce
              value: { size: 1000B }
              producer: { linger.ms: 0 }
              rate: { steps: [40/s for 2s, 80/s for 3s, 400/s for 2s, 20/s for 6s], rest: 2s }
            warmup: { for: 1s, rate: 20/s }
            measure: null
            search: { breaking-point: { limits: [response p50 < 500ms] } }
            expect: [breaking-point > 80/s, breaking-point <= 400/s]
            """;

    @TempDir
    Path root;

    @Test
    void aBreakThatIsKnownIsFoundAtItsStepAndTheRecoveryBehindIt() throws Exception {
        Path file = Files.writeString(root.resolve("break.yaml"), PACE);
        try (RelayedKafka kafka = RelayedKafka.start(root.resolve("kafka"))) {
            // So that ten times the calmest step is far from what a busy machine does to one.
            kafka.relay().delay(Relay.Direction.REPLIES, Duration.ofMillis(30));
            kafka.relay().limit(Relay.Direction.REQUESTS, 200_000);
            String bootstrap =
                    String.valueOf(kafka.cluster().relayedProperties().get("bootstrap.servers"));
            Overrides overrides = new Overrides(List.of(), List.of(), bootstrap, "", List.of(), true);
            RunResult result = new Runner(
                            PlanReader.read(file, overrides),
                            new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run"),
                            question -> true)
                    .run();
            RunFolder folder = RunFolder.open(Path.of(result.run()));
            String seen = TextReport.of(folder);

            BreakingPointResult point =
                    Objects.requireNonNull(result.conclusion().breakingPoint(), seen);
            assertThat(point.rate()).as(seen).isEqualTo(400);
            assertThat(point.sustained()).as(seen).isEqualTo(80);
            assertThat(result.conclusion().answer()).as(seen).startsWith("Breaks at 400/s: achieved ");
            assertThat(result.expect()).as(seen).allMatch(expect -> expect.passed());

            List<StepResult> steps = result.trials().get(0).steps();
            List<StepVerdict> verdicts = steps.stream()
                    .map(StepResult::verdict)
                    .map(Objects::requireNonNull)
                    .toList();
            assertThat(verdicts.get(2).state()).as(seen).isEqualTo(StepState.BROKEN);
            assertThat(verdicts.get(2).missed())
                    .as(seen)
                    .singleElement()
                    .asString()
                    .contains("the limit < 500ms");
            // Twice what two seconds carry, less what they do carry and what the rest does.
            assertThat(steps.get(2).drainedAfter()).as(seen).isBetween(0.5, 8.0);
            assertThat(verdicts.get(3).recovery()).isTrue();
            assertThat(verdicts.get(3).text()).as(seen).contains(", recovered a");
            assertThat(steps.get(0).drainedAfter()).as(seen).isLessThan(2);

            assertThat(folder.trials().get(0).events())
                    .extracting(Event::name)
                    .contains(Event.REST, Event.FLUSH, Event.COLLECT);
            assertThat(HtmlReport.of(folder))
                    .contains("breaks at 400/s", "400/s ✕", "recovered a")
                    .as("a rest is a gap in what was sent")
                    .containsPattern("line c4 dashed\" d=\"M[^\"]+M");
            assertThat(result.toJson()).contains("\"breakingPoint\" : {", "\"breakingPoints\" : [");
        }
    }
}
