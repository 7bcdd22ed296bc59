package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.feature.http.ReceiverSpec;
import weir.plan.ByteSize;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.syntax.Keys;
import weir.results.PlannedTrial;
import weir.worker.ServerAssignment;
import weir.worker.link.LinkJson;

class PathSpecTest {
    private static final String PATH = "load: { workload: deliver, engine: http }\nbridge: { path: ";

    private static Variant on(String path) {
        return Plans.only(PATH + path + " }");
    }

    private static PathSpec.RetrySpec retries(
            int retry, PathSpec.BackoffPolicy policy, String sink, Duration... times) {
        return new PathSpec.RetrySpec(retry, policy, times[0], times[1], times[2], sink);
    }

    @Test
    void pathsHaveTheseDefaults() {
        assertThat(on("kafka-channel").bridge())
                .isEqualTo(new PathSpec(
                        PathSpec.DeliveryPath.KAFKA_CHANNEL,
                        1,
                        PathSpec.Order.NONE,
                        100,
                        retries(
                                0,
                                PathSpec.BackoffPolicy.EXPONENTIAL,
                                "",
                                Duration.ofMillis(200),
                                Duration.ofSeconds(30),
                                Duration.ZERO),
                        List.of(),
                        255,
                        new ByteSize(64 << 20),
                        Limits.NONE,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        new PlacedSpec.Here()));
        assertThat(on("direct").load().part(ReceiverSpec.class)).isEqualTo(ReceiverSpec.PLAIN);
    }

    @Test
    void everyPathKeyIsRead() {
        Variant variant = Plans.only("""
                topics: { events: {}, parked: {} }
                bridge:
                  path: kafka-channel
                  subscribers: 2
                  order: partition
                  delivery: { retry: 3, backoffPolicy: linear, backoffDelay: 1s, timeout: 2s, retryAfterMax: 9s, deadLetterSink: parked }
                  memory: 1MiB
                  within: { cpu: 1 }
                  producer: { linger.ms: 1 }
                  consumer: { max.poll.records: 7 }
                load:
                  workload: deliver
                  engine: http
                  listen: 127.0.0.1:8080
                  receiver: { delay: 5ms, fail: 1% }
                """);
        assertThat(variant.bridge())
                .isEqualTo(new PathSpec(
                        PathSpec.DeliveryPath.KAFKA_CHANNEL,
                        2,
                        PathSpec.Order.PARTITION,
                        100,
                        retries(
                                3,
                                PathSpec.BackoffPolicy.LINEAR,
                                "parked",
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(9)),
                        List.of(),
                        255,
                        new ByteSize(1 << 20),
                        new Limits(1, new ByteSize(0), new ByteSize(0), List.of()),
                        new TreeMap<>(Map.of("linger.ms", "1")),
                        new TreeMap<>(Map.of("max.poll.records", "7")),
                        new PlacedSpec.Here()));
        assertThat(variant.load().topics())
                .as("nothing is sent to dead letters")
                .containsExactly("events");
        assertThat(variant.usedTopics()).containsOnlyKeys("events", "parked");
    }

    @Test
    void eventFiltersMayBeNested() {
        PathSpec broker = (PathSpec) on("""
                memory-broker, ttl: 3, filters: [
                  { exact: { type: order, source: /shop } },
                  { any: [ { prefix: { type: com. } }, { not: { suffix: { subject: .tmp } } } ] },
                  { all: [ { exact: { region: eu } } ] } ]""").bridge();
        assertThat(broker.ttl()).isEqualTo(3);
        assertThat(broker.filters())
                .containsExactly(
                        new EventFilter.Exact(new TreeMap<>(Map.of("source", "/shop", "type", "order"))),
                        new EventFilter.Any(List.of(
                                new EventFilter.Prefix(new TreeMap<>(Map.of("type", "com."))),
                                new EventFilter.Not(new EventFilter.Suffix(new TreeMap<>(Map.of("subject", ".tmp")))))),
                        new EventFilter.All(List.of(new EventFilter.Exact(new TreeMap<>(Map.of("region", "eu"))))));
        assertThat(Arrays.stream(EventFilter.class.getPermittedSubclasses())
                        .map(form -> form.getSimpleName().toLowerCase(Locale.ROOT))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(
                        Keys.at("bridge.filters").children().keySet());
    }

    @Test
    void theClientSendsWhatASourceReads() {
        for (String engine : List.of("http", "{ send: http, receive: http }")) {
            Variant variant = Plans.read(
                            PATH + "direct }\nvariants: { x: { bridge: { path: kafka-source }, load: { engine: "
                                    + engine + " } } }")
                    .variants()
                    .get(0);
            assertThat(variant.load().producers().engine()).isEqualTo(LoadSpec.Engine.CLIENT);
            assertThat(variant.load().consumers().engine()).isEqualTo(LoadSpec.Engine.OTHER);
            assertThat(variant.settings())
                    .hasEntrySatisfying(
                            "load.engine.send",
                            send -> assertThat(send)
                                    .isEqualTo(
                                            new Setting("load.engine.send", "client", "path kafka-source x.yaml:3")));
        }
    }

    @Test
    void onlyMemoryPathsMayLoseQueuedEvents() {
        assertThat(PlannedTrial.of(on("memory-broker")).queued()).isTrue();
        assertThat(PlannedTrial.of(on("kafka-broker")).queued()).isFalse();
        assertThat(PlannedTrial.of(on("direct")).queued()).isFalse();
        assertThat(PlannedTrial.of(on("kafka-channel")).redelivers()).isTrue();
    }

    @Test
    void eventProcessAssignmentSurvivesJsonWithoutSecretsInText() {
        PathSpec way = (PathSpec) on("memory-broker, filters: [ { not: { exact: { type: a } } }, "
                        + "{ any: [ { prefix: { source: / } } ] } ]")
                .bridge();
        ServerAssignment task = new EventProcessSettings(
                EventProcessSettings.Role.FILTER,
                1,
                List.of("http://127.0.0.1:2"),
                way,
                new TreeMap<>(Map.of("sasl.jaas.config", "hunter2")),
                new TreeMap<>(),
                "",
                "",
                5,
                ResolvedSecrets.NONE);
        assertThat(task.source()).isEqualTo("filter");
        assertThat(LinkJson.read(LinkJson.write(new Sent(task)), Sent.class).task())
                .isEqualTo(task);
        assertThat(task.toString()).doesNotContain("hunter2");
    }

    record Sent(ServerAssignment task) {}
}
