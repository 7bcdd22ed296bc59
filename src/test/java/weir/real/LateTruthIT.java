package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.cluster.relay.Relay.Direction;
import weir.cluster.relay.RelayEffect;
import weir.cluster.start.EmbeddedCluster;
import weir.worker.WorkerMain;

/** The cause of a wait, the generator or the system, as the program reports it to the user. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("alone")
class LateTruthIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private RelayedKafka kafka;
    private EmbeddedCluster cluster;
    private Relay relay;
    private Door door = new Door(Path.of(""));

    @BeforeAll
    void start() throws IOException {
        door = new Door(folder.toRealPath());
        kafka = RelayedKafka.start(folder);
        cluster = kafka.cluster();
        relay = kafka.relay();
    }

    @AfterAll
    void stop() {
        kafka.close();
    }

    /** The report of the program on one trial. */
    private record Said(int exit, JsonNode object, int trial, String err) {
        List<String> caveats(String level) {
            List<String> types = new ArrayList<>();
            for (JsonNode caveat : object.get("caveats")) {
                if (caveat.get("level").asText().equals(level)
                        && caveat.path("trial").asInt() == trial) {
                    types.add(caveat.get("type").asText());
                }
            }
            return types;
        }

        double of(String metric, String percentile) {
            return object.get("trials")
                    .get(trial - 1)
                    .get(metric)
                    .get(percentile)
                    .asDouble();
        }

        @Override
        public String toString() {
            return "trial " + trial + " of a run with exit " + exit + "\n" + object + "\n" + err;
        }
    }

    private Door.Running start(String yaml) throws IOException {
        Path file = Files.createTempFile(door.folder(), "truth", ".yaml");
        Files.writeString(file, "name: truth\n" + yaml);
        return door.start("run", file.toString(), "--format", "json", "--yes");
    }

    private static List<Said> said(Door.Running running, int trials) throws Exception {
        Door.Ended ended = running.end();
        assertThat(ended.out()).as(ended.err()).startsWith("{");
        JsonNode object = JSON.readTree(ended.out());
        assertThat(object.get("trials")).as(ended.err()).hasSize(trials);
        return IntStream.rangeClosed(1, trials)
                .mapToObj(trial -> new Said(ended.exit(), object, trial, ended.err()))
                .toList();
    }

    /** Stops for half of every second, for 45 ms of every 50 ms, or during a heap dump. */
    @Test
    void aGeneratorThatIsStarvedIsLateAndTheTrialIsInvalid() throws Exception {
        String half = "for i in 1 2 3; do kill -STOP $0; sleep 0.5; kill -CONT $0; sleep 0.5; done";
        String often = "for i in $(seq 50); do kill -STOP $0; sleep 0.045; kill -CONT $0; sleep 0.005; done";
        String heap = "for i in 1 2 3; do $1/bin/jcmd $0 GC.heap_dump -all -overwrite $2/heap >&2; done";
        List<String> starves = List.of(half, often, heap, half);
        Door.Running running = start("""
                cluster: { bootstrap: "%s" }
                topics: { t: {} }
                load: { workload: deliver, rate: 2000/s }
                warmup: 1s
                measure: 4s
                variants:
                  half: {}
                  often: {}
                  heap: {}
                  wire: { load: { engine: wire } }
                """.formatted(cluster.bootstrap()));
        for (int trial = 1; trial <= starves.size(); trial++) {
            running.awaitErr("trial " + trial + "/", "  measure");
            String worker =
                    Long.toString(running.child(WorkerMain.class.getName()).pid());
            new ProcessBuilder(
                            "bash",
                            "-c",
                            starves.get(trial - 1),
                            worker,
                            System.getProperty("java.home"),
                            folder.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
        }
        for (Said said : said(running, starves.size())) {
            assertThat(said.exit()).as(said.toString()).isEqualTo(4);
            assertThat(said.caveats("invalid")).as(said.toString()).contains("generator-late");
            assertThat(said.of("late", "p99")).as(said.toString()).isGreaterThan(25);
            // A generator that runs for some milliseconds at a time often stops within a call.
            double most = said.of("late", "p99") / (said.trial() == 2 ? 2 : 4);
            assertThat(said.of("backpressure", "p99")).as(said.toString()).isLessThan(most);
        }
    }

    @Test
    void slowNetworkIsBackpressureAndNotLate() throws Exception {
        try (RelayEffect limit = relay.limit(Direction.REQUESTS, 500_000)) {
            Door.Running running =
                    start("""
                    cluster: { bootstrap: "%s" }
                    topics: { t: {} }
                    load: { workload: produce, rate: 2000/s, value: { size: 1KiB } }
                    warmup: 1s
                    measure: 4s
                    verify: false
                    variants:
                      client: { load: { producer: { buffer.memory: 262144 } } }
                      wire: { load: { engine: wire } }
                    """.formatted(cluster.relayedProperties().get("bootstrap.servers")));
            List<Said> both = said(running, 2);
            assertThat(limit.bytes()).isPositive();
            both.forEach(LateTruthIT::assertSystemsDoing);
        }
    }

    @Test
    void slowBrokerIsBackpressureAndNotLate() throws Exception {
        said(start("""
                cluster: { bootstrap: "%s" }
                topics: { t: { config: { flush.messages: 1 } } }
                load: { workload: produce, rate: 40k/s, producer: { batch.size: 1, linger.ms: 0, buffer.memory: 65536 } }
                warmup: 1s
                measure: 4s
                verify: false
                """.formatted(cluster.bootstrap())), 1).forEach(LateTruthIT::assertSystemsDoing);
    }

    private static void assertSystemsDoing(Said said) {
        assertThat(said.of("response", "p99")).as(said.toString()).isGreaterThan(1_000);
        assertThat(said.of("backpressure", "p99")).as(said.toString()).isGreaterThan(1_000);
        assertThat(said.caveats("invalid")).as(said.toString()).doesNotContain("generator-late");
    }
}
