package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.feature.Features;
import weir.feature.http.HttpSink.SinkAssignment;
import weir.http.HttpServer.RequestLimits;
import weir.plan.BridgeSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Ratio;
import weir.plan.RecordKeys;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.plan.syntax.Keys;
import weir.results.PlannedTrial;
import weir.worker.ServerAssignment;
import weir.worker.link.LinkJson;

class HttpPlanTest {
    private static Variant url(String more) {
        return Plans.only("bridge: { url: 'http://x' }\nload: { engine: http" + more + " }");
    }

    @Test
    void eachFormOfABridgeIsRead() {
        assertThat(Plans.only("load: {}").bridge()).isEqualTo(new BridgeSpec.None());
        assertThat(Plans.only(
                                "bridge: { gateway: { instances: 3 }, balancer: [haproxy, nginx] }\nload: { engine: http }")
                        .bridge())
                .isEqualTo(new GatewaySpec(
                        3,
                        GatewaySpec.Answer.ACKED,
                        Limits.NONE,
                        new TreeMap<>(),
                        List.of(GatewaySpec.Balancer.HAPROXY, GatewaySpec.Balancer.NGINX),
                        Path.of(""),
                        new PlacedSpec.Here()));
        assertThat(Plans.only("bridge: { gateway: {} }\nload: { engine: http }")
                        .bridge()
                        .processes())
                .containsOnlyKeys("gateway-1");
        assertThat(url("").bridge()).isEqualTo(new HttpFeature.UrlSpec("http://x"));
        assertThat(Features.forms(BridgeSpec.class))
                .contains(BridgeSpec.None.class, GatewaySpec.class, HttpFeature.UrlSpec.class);
    }

    @Test
    void everyReceiverKeyIsRead() {
        Variant variant = url(", workload: deliver, listen: '127.0.0.1:8080', receiver: "
                + "{ delay: 5ms, fail: 1%, token: '${env:T}', certificate: c.pem, key: k.pem }");
        assertThat(variant.load().part(ReceiverSpec.class))
                .isEqualTo(new ReceiverSpec(
                        "127.0.0.1:8080",
                        Duration.ofMillis(5),
                        new Ratio(0.01),
                        "${env:T}",
                        Path.of("c.pem").toAbsolutePath(),
                        Path.of("k.pem").toAbsolutePath()));
        assertThat(variant.load().part(HttpSpec.class).connections()).isEqualTo(64);
    }

    @Test
    void foreignServerWithAReceiverCountsAsQueued() {
        assertThat(PlannedTrial.of(url("")).queued()).isFalse();
        assertThat(PlannedTrial.of(url(", workload: deliver, listen: '127.0.0.1:8080'"))
                        .queued())
                .isTrue();
    }

    @Test
    void serverAssignmentSurvivesJsonWithoutSecretsInText() {
        ServerAssignment gateway = new GatewaySettings(
                "10.9.8.7",
                1,
                new TreeMap<>(Map.of("sasl.jaas.config", "hunter2")),
                GatewaySpec.Answer.ACKED,
                RequestLimits.DEFAULT,
                false,
                "hunter2",
                Path.of(""),
                Path.of("key.pem"),
                ResolvedSecrets.NONE);
        for (ServerAssignment task : List.of(gateway, new SinkAssignment(1))) {
            assertThat(LinkJson.read(LinkJson.write(new Sent(task)), Sent.class).task())
                    .isEqualTo(task);
            assertThat(task.toString()).doesNotContain("hunter2");
        }
    }

    @Test
    void recordsAndKeysHaveTheSameWords() {
        assertThat(words(HttpSpec.class, "connections"))
                .containsExactlyInAnyOrderElementsOf(
                        Keys.at("load.http").children().keySet());
        assertThat(words(ReceiverSpec.class, "listen"))
                .containsExactlyInAnyOrderElementsOf(
                        Keys.at("load.receiver").children().keySet());
        assertThat(words(GatewaySpec.class, "balancer", "config", "placed"))
                .containsExactlyInAnyOrderElementsOf(
                        Keys.at("bridge.gateway").children().keySet());
    }

    private static List<String> words(Class<?> record, String... beside) {
        return RecordKeys.of(record).stream()
                .map(RecordKeys.Component::key)
                .filter(key -> !List.of(beside).contains(key))
                .toList();
    }

    record Sent(ServerAssignment task) {}
}
