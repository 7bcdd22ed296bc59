package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.real.Door;
import weir.real.Kafkas;
import weir.real.OwnKafka;

/** A relay limits each partition in front of its broker, so the right number of partitions is known on any machine. */
@Timeout(700)
@Tag("long")
class PartitionsTruthIT {
    private static final int BROKERS = 3;
    private static final long BYTES_PER_SECOND = 1_000_000;
    private static final int VALUE = 1_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void rateOfTwoAndAQuarterBrokersNeedsThreePartitions() throws Exception {
        List<Relay> relays = new ArrayList<>();
        try (OwnKafka kafka = OwnKafka.startRelayed(folder.resolve("kafka"), Kafkas.of("4.4.0", BROKERS))) {
            for (int broker = 1; broker <= BROKERS; broker++) {
                Relay relay = Relay.before(kafka.cluster(), broker);
                relays.add(relay);
                relay.limit(Relay.Direction.REQUESTS, BYTES_PER_SECOND);
            }
            Door.Ended ended = new Door(folder.toRealPath())
                    .weir(
                            "partitions",
                            "--for=2.25MB/s",
                            "--bootstrap-server",
                            String.valueOf(kafka.cluster().relayedProperties().get("bootstrap.servers")),
                            "--yes",
                            "--workload=produce",
                            "--value-size=" + VALUE,
                            "--set=search.partitions.measure=2s",
                            "--format=json");
            assertThat(ended.exit()).as(ended.err()).isZero();
            JsonNode run = JSON.readTree(ended.out());
            JsonNode found = run.path("conclusion").path("partitions").path(0);
            String seen = found + "\n" + ended.err();
            double one = found.path("producing").path("rate").doubleValue();
            assertThat(one).as(seen).isBetween(0.6 * BYTES_PER_SECOND / VALUE, 1.01 * BYTES_PER_SECOND / VALUE);
            assertThat(found.path("share").doubleValue()).as(seen).isEqualTo(1);
            assertThat(found.path("partitions").intValue()).as(seen).isEqualTo(3);
            assertThat(found.path("low").intValue()).as(seen).isLessThanOrEqualTo(3);
            assertThat(found.path("high").intValue()).as(seen).isGreaterThanOrEqualTo(3);
            List<String> carried = new ArrayList<>();
            found.path("carrying")
                    .forEach(trial -> carried.add(trial.path("partitions").intValue() + " "
                            + trial.path("tried").path("outcome").textValue()));
            assertThat(carried)
                    .as(seen)
                    .contains("3 sustained")
                    .contains("2 refused")
                    .doesNotContain("2 sustained");
        } finally {
            relays.forEach(Relay::close);
        }
    }
}
