package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.relay.Relay;
import weir.cluster.relay.Relay.Direction;
import weir.cluster.relay.RelayEffect;
import weir.cluster.start.EmbeddedCluster;
import weir.worker.WorkerMain;

/** Whose doing a wait was, the generator's or the system's, as the program's user learns it. */
@Timeout(120)
@Isolated("beside others a generator is late, too")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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

    /** The program's words on one trial. */
    private record Said(int exit, JsonNode object, String err) {
        List<String> caveats(String level) {
            List<String> types = new ArrayList<>();
            for (JsonNode caveat : object.get("caveats")) {
                if (caveat.get("level").asText().equals(level)) {
                    types.add(caveat.get("type").asText());
                }
            }
            return types;
        }

        /** A percentile in milliseconds. */
        double of(String metric, String percentile) {
            return object.get("trials").get(0).get(metric).get(percentile).asDouble();
        }

        @Override
        public String toString() {
            return "exit " + exit + "\n" + object + "\n" + err;
        }
    }

    private Door.Running run(String yaml) throws IOException {
        Path file = Files.createTempFile(door.folder(), "truth", ".yaml");
        Files.writeString(file, "name: truth\n" + yaml);
        Door.Running running = door.start("run", file.toString(), "--format", "json", "--yes");
        running.awaitErr("acked ");
        return running;
    }

    private static Said said(Door.Running running) throws Exception {
        Door.Ended ended = running.end();
        assertThat(ended.out()).as(ended.err()).startsWith("{");
        return new Said(ended.exit(), JSON.readTree(ended.out()), ended.err());
    }

    private static long worker(Door.Running running) {
        return running.process()
                .descendants()
                .mapToLong(ProcessHandle::pid)
                .filter(LateTruthIT::works)
                .findFirst()
                .orElseThrow();
    }

    /** Java itself does not tell a command line as long as ours. */
    private static boolean works(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains(WorkerMain.class.getName());
        } catch (IOException ended) {
            return false;
        }
    }

    /** Half a second of every second, nine tenths of every twentieth, or as long as it takes to write the heap down. */
    @ParameterizedTest
    @CsvSource({
        "client, for i in 1 2 3; do kill -STOP $0; sleep 0.5; kill -CONT $0; sleep 0.5; done",
        "client, for i in $(seq 50); do kill -STOP $0; sleep 0.045; kill -CONT $0; sleep 0.005; done",
        "client, for i in 1 2 3; do $1/bin/jcmd $0 GC.heap_dump -all -overwrite $2/heap >&2; done",
        "wire, for i in 1 2 3; do kill -STOP $0; sleep 0.5; kill -CONT $0; sleep 0.5; done"
    })
    void aGeneratorThatIsStarvedIsLateAndTheTrialIsInvalid(String engine, String starve) throws Exception {
        Door.Running running = run("""
                cluster: { bootstrap: "%s" }
                topics: { t: {} }
                load: { workload: deliver, rate: 2000/s, engine: %s }
                warmup: 1s
                measure: 5s
                """.formatted(cluster.bootstrap(), engine));
        String worker = Long.toString(worker(running));
        new ProcessBuilder("bash", "-c", starve, worker, System.getProperty("java.home"), folder.toString())
                .inheritIO()
                .start()
                .waitFor();
        Said said = said(running);
        assertThat(said.exit()).as(said.toString()).isEqualTo(4);
        assertThat(said.caveats("invalid")).as(said.toString()).contains("generator-late");
        assertThat(said.of("late", "p99")).as(said.toString()).isGreaterThan(25);
        assertThat(said.of("backpressure", "p99")).as(said.toString()).isLessThan(said.of("late", "p99") / 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"engine: client, producer: { buffer.memory: 262144 }", "engine: wire"})
    void aNetworkThatCannotCarryTheRateHoldsAndIsNotOurLateness(String engine) throws Exception {
        try (RelayEffect limit = relay.limit(Direction.REQUESTS, 500_000)) {
            Said said = said(run("""
                    cluster: { bootstrap: "%s" }
                    topics: { t: {} }
                    load: { workload: produce, rate: 2000/s, value: { size: 1KiB }, %s }
                    warmup: 1s
                    measure: 5s
                    verify: false
                    """.formatted(cluster.relayedProperties().get("bootstrap.servers"), engine)));
            assertThat(limit.bytes()).isPositive();
            assertSystemsDoing(said);
        }
    }

    @Test
    void aBrokerThatCannotTakeTheRateHoldsAndIsNotOurLateness() throws Exception {
        assertSystemsDoing(said(run("""
                cluster: { bootstrap: "%s" }
                topics: { t: { config: { flush.messages: 1 } } }
                load: { workload: produce, rate: 40k/s, producer: { batch.size: 1, linger.ms: 0, buffer.memory: 65536 } }
                warmup: 1s
                measure: 5s
                verify: false
                """.formatted(cluster.bootstrap()))));
    }

    private static void assertSystemsDoing(Said said) {
        assertThat(said.of("response", "p99")).as(said.toString()).isGreaterThan(1_000);
        assertThat(said.of("backpressure", "p99")).as(said.toString()).isGreaterThan(1_000);
        assertThat(said.caveats("invalid")).as(said.toString()).doesNotContain("generator-late");
    }
}
