package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.cluster.relay.RelayEffect;

/** A relay lets so many bytes through, so what the capacity is is known. */
class CapacityIT {
    private static final long BYTES_PER_SECOND = 400_000;
    private static final int VALUE = 1_000;
    /** A batch of one record on the wire, at the most: header of the request, of the batch, and the record's own. */
    private static final int OVERHEAD = 250;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    @SuppressWarnings("try")
    void aSearchFindsWhatTheRelayLetsThrough() throws Exception {
        try (RelayedKafka kafka = RelayedKafka.start(folder.resolve("kafka"));
                RelayEffect limit = kafka.relay().limit(Relay.Direction.REQUESTS, BYTES_PER_SECOND)) {
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
                    "--set=search.capacity.warmup=500ms",
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

    @Test
    void aSearchWithoutABoundBeginsWarmAndItsTriesShareAWorker() throws Exception {
        Door.Ended ended = interrupted("02 base", "--set=search.capacity.measure=500ms");
        JsonNode tried = capacity(ended).get("tried");
        Path tries = folder.resolve(JSON.readTree(ended.out()).get("run").textValue())
                .resolve("search");
        double most = trial(tries, "00-base-1").get("ackedPerSecond").doubleValue();
        assertThat(trial(tries, "00-base-1").get("offeredPerSecond").isNull()).isTrue();
        assertThat(trial(tries, "00-base-2").get("offeredPerSecond").doubleValue())
                .isCloseTo(most / 4, within(1.0));
        assertThat(tried.get(0).get("rate").doubleValue()).isCloseTo(most / 4, within(1.0));
        assertThat(tries.resolve("00-base-2").resolve("events.csv")).content().contains("went to the disk");
        // One that is borrowed writes where it was born.
        assertThat(tries.resolve("00-base-1").resolve("worker.log")).exists();
        assertThat(tries.resolve("01-base-1").resolve("worker.log")).doesNotExist();
    }

    @Test
    void whatHeatsIsNotCutShortWhereTheBoundIsOutOfReach() throws Exception {
        Door.Ended ended = interrupted("01 base", "--to=2M/s", "--set=search.capacity.measure=3s");
        JsonNode heated = trial(
                folder.resolve(JSON.readTree(ended.out()).get("run").textValue())
                        .resolve("search"),
                "00-base-1");
        assertThat(heated.get("offeredPerSecond").doubleValue()).isCloseTo(2e6, within(1e5));
        assertThat(heated.get("ackedPerSecond").doubleValue()).isBetween(1.0, 1.7e6);
        // Three times as long as a trial; one that is lost would have been ended after three or four.
        assertThat(heated.get("seconds").doubleValue()).isGreaterThanOrEqualTo(8.9);
    }

    /** A search with brokers of its own that ends once it has said this. */
    private Door.Ended interrupted(String said, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "capacity",
                "--workload=produce",
                "--value-size=" + VALUE,
                "--partitions=1",
                "--limit=response p99 < 60s",
                "--from=10/s",
                "--set=cluster.jvm=[-XX:TieredStopAtLevel=1]",
                "--set=search.capacity.warmup=500ms",
                "--format=json"));
        command.addAll(List.of(more));
        Door.Running search = new Door(folder.toRealPath()).start(command.toArray(String[]::new));
        search.awaitErr(said);
        search.signal("INT");
        Door.Ended ended = search.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(130);
        return ended;
    }

    private static JsonNode trial(Path tries, String id) throws IOException {
        return JSON.readTree(tries.resolve(id).resolve("trial.json").toFile());
    }

    private static JsonNode capacity(Door.Ended ended) throws IOException {
        JsonNode run = JSON.readTree(ended.out());
        JsonNode capacity = run.path("conclusion").path("capacity");
        assertThat(run.path("trials")).isEmpty();
        assertThat(run.path("conclusion").path("capacities").path("base")).isEqualTo(capacity);
        return capacity;
    }
}
