package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.cluster.relay.RelayEffect;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.BreakingPointResult;
import weir.results.value.Event;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.run.RunOptions;
import weir.run.Runner;

/** A relay with a known rate of bytes, so that the result of a search is known on any machine. */
@Timeout(240)
@Tag("alone")
class SearchTruthIT {
    private static final long BYTES_PER_SECOND = 400_000;
    private static final int VALUE = 1_000;
    /** Maximum bytes of a batch with one record on the wire: header of the request, of the batch, and of the record. */
    private static final int OVERHEAD = 250;

    private static final ObjectMapper JSON = new ObjectMapper();

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
    private static Path folder;

    private static RelayedKafka kafka;

    @BeforeAll
    static void start() {
        kafka = RelayedKafka.start(folder.resolve("kafka"));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    @SuppressWarnings("try")
    void aSearchFindsWhatTheRelayLetsThrough() throws Exception {
        try (RelayEffect limit = kafka.relay().limit(Relay.Direction.REQUESTS, BYTES_PER_SECOND)) {
            Door door = new Door(folder.toRealPath());
            List<String> command = new ArrayList<>(List.of(
                    "capacity",
                    "--bootstrap-server",
                    kafka.cluster().relayedProperties().get("bootstrap.servers"),
                    "--yes",
                    "--workload=produce",
                    "--value-size=" + VALUE,
                    "--partitions=1",
                    "--limit=response p99 < 600ms",
                    "--precision=90%",
                    "--from=200/s",
                    "--to=1600/s",
                    "--set=search.capacity.warmup=1s",
                    "--set=search.capacity.measure=1s",
                    "--format=json"));
            Door.Ended ended = door.weir(command.toArray(String[]::new));
            assertThat(ended.exit()).as(ended.err()).isZero();
            JsonNode found = capacity(ended);
            assertThat(found.get("high").isNumber()).as(ended.err()).isTrue();
            assertThat(found.get("low").doubleValue())
                    .as("%s%n%s", found, ended.err())
                    .isLessThanOrEqualTo(BYTES_PER_SECOND / (double) VALUE);
            assertThat(found.get("high").doubleValue())
                    .as("%s%n%s", found, ended.err())
                    .isGreaterThanOrEqualTo(BYTES_PER_SECOND / (double) (VALUE + OVERHEAD));
            assertThat(found.get("rate").doubleValue())
                    .isBetween(found.get("low").doubleValue(), found.get("high").doubleValue());
            assertThat(found.get("reason").textValue()).startsWith("at ");
        }
    }

    /** A network with 200 kB/s breaks at the step with twice this rate, and works again afterwards. */
    @Test
    @SuppressWarnings("try")
    void knownBreakingPointAndRecoveryAreFound() throws Exception {
        Path file = Files.writeString(folder.resolve("break.yaml"), PACE);
        // The delay keeps ten times the calmest step far above the noise of a busy machine.
        try (RelayEffect delay = kafka.relay().delay(Relay.Direction.REPLIES, Duration.ofMillis(30));
                RelayEffect limit = kafka.relay().limit(Relay.Direction.REQUESTS, 200_000)) {
            String bootstrap =
                    String.valueOf(kafka.cluster().relayedProperties().get("bootstrap.servers"));
            Overrides overrides = new Overrides(List.of(), List.of(), bootstrap, "", List.of(), false);
            RunResult result = new Runner(
                            PlanReader.read(file, overrides),
                            new RunOptions(folder.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run"),
                            question -> true)
                    .run();
            RunFolder run = RunFolder.open(Path.of(result.run()));
            String seen = TextReport.of(run);

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
            // Twice the bytes of two seconds, minus the bytes that pass in them and those of the rest.
            assertThat(steps.get(2).drainedAfter()).as(seen).isBetween(0.5, 8.0);
            assertThat(verdicts.get(3).recovery()).isTrue();
            assertThat(verdicts.get(3).text()).as(seen).contains(", recovered a");
            assertThat(steps.get(0).drainedAfter()).as(seen).isLessThan(2);

            assertThat(run.trials().get(0).events())
                    .extracting(Event::name)
                    .contains(Event.REST, Event.FLUSH, Event.COLLECT);
            assertThat(HtmlReport.of(run))
                    .contains("breaks at 400/s", "400/s ✕", "recovered a")
                    .as("a rest is a gap in what was sent")
                    .containsPattern("line c4 dashed\" d=\"M[^\"]+M");
            assertThat(result.toJson()).contains("\"breakingPoint\" : {", "\"breakingPoints\" : [");
        }
    }

    private static JsonNode capacity(Door.Ended ended) throws Exception {
        JsonNode run = JSON.readTree(ended.out());
        JsonNode capacity = run.path("conclusion").path("capacity");
        assertThat(run.path("trials")).isEmpty();
        assertThat(run.path("conclusion").path("capacities").path("base")).isEqualTo(capacity);
        return capacity;
    }
}
