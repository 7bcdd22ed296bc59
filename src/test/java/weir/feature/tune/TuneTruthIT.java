package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.real.Door;
import weir.real.Kafkas;
import weir.real.OwnKafka;

/** A producer far from its broker, whose rate is {@code batches in flight * batch size / round trip}. */
@Timeout(300)
@Tag("long")
class TuneTruthIT {
    private static final Duration ROUND_TRIP = Duration.ofMillis(40);

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void settingsWithMostRequestsInFlightWinBehindADelay() throws Exception {
        Path file = Files.writeString(folder.resolve("far.yaml"), """
                name: far
                topics: { t: { partitions: 1 } }
                load: { workload: produce, value: { size: 1000B }, producer: { linger.ms: 0, buffer.memory: 400000 } }
                search:
                  tune:
                    space:
                      load.producer.max.in.flight.requests.per.connection: [1, 5]
                      load.producer.batch.size: [16384, 65536]
                    budget: 130s
                    warmup: 1s
                    measure: 700ms
                """);
        try (OwnKafka kafka = OwnKafka.startRelayed(folder.resolve("kafka"), Kafkas.of("4.4.0", 1));
                Relay relay = Relay.before(kafka.cluster(), 1)) {
            relay.delay(Relay.Direction.REQUESTS, ROUND_TRIP);
            Door.Ended ended = new Door(folder.toRealPath())
                    .weir(
                            "run",
                            String.valueOf(file),
                            "--bootstrap-server",
                            String.valueOf(kafka.cluster().relayedProperties().get("bootstrap.servers")),
                            "--max-rate=100k/s",
                            "--yes",
                            "--format=json");
            String seen = ended.out() + ended.err();
            assertThat(ended.exit()).as(seen).isZero();
            JsonNode found = JSON.readTree(ended.out())
                    .path("conclusion")
                    .path("tunings")
                    .path(0);
            JsonNode defaults = found.path("finalists").path(0);
            // 5 batches of 16 KiB, or of 64 KiB, in a round trip.
            assertThat(defaults.path("perSecond").doubleValue()).as(seen).isBetween(1_400.0, 2_060.0);
            JsonNode best = found.path("finalists").path(1);
            assertThat(best.path("verdict").textValue()).as(seen).isEqualTo("better");
            assertThat(best.path("settings")
                            .path("load.producer.max.in.flight.requests.per.connection")
                            .textValue())
                    .as(seen)
                    .isEqualTo("5");
            assertThat(best.path("settings").path("load.producer.batch.size").textValue())
                    .as(seen)
                    .isEqualTo("65536");
            assertThat(best.path("throughput").path("ratio").doubleValue())
                    .as(seen)
                    .isBetween(3.2, 4.8);
            assertThat(effect(found, "1")).as(seen).isBetween(0.15, 0.3);
            assertThat(effect(found, "65536")).as(seen).isBetween(3.0, 5.0);
        }
    }

    private static double effect(JsonNode found, String value) {
        for (JsonNode effect : found.path("effects")) {
            if (effect.path("value").textValue().equals(value)) {
                return effect.path("throughput").path("ratio").doubleValue();
            }
        }
        return Double.NaN;
    }
}
