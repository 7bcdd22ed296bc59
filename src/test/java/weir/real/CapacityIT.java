package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

    private static JsonNode capacity(Door.Ended ended) throws Exception {
        JsonNode run = JSON.readTree(ended.out());
        JsonNode capacity = run.path("conclusion").path("capacity");
        assertThat(run.path("trials")).isEmpty();
        assertThat(run.path("conclusion").path("capacities").path("base")).isEqualTo(capacity);
        return capacity;
    }
}
