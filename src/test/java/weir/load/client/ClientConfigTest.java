package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.load.client.ClientConfig.Kind;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

class ClientConfigTest {
    private static final Map<String, String> CLIENT =
            Map.of("bootstrap.servers", "localhost:9092", "isolation.level", "read_committed");

    private static ClientConfig producer(Map<String, String> asked) {
        return new ClientConfig(Kind.PRODUCER, Map.of("metrics.sample.window.ms", "1000"), CLIENT, asked)
                .set("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer")
                .set("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
    }

    private static Property property(ClientConfig config, String name) {
        return config.effective().stream()
                .filter(property -> property.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyPropertySaysWhoDecidedIt() {
        ClientConfig config = producer(Map.of("acks", "1", "linger.ms", "10"));
        assertThat(property(config, "linger.ms"))
                .isEqualTo(new Property("producer", "linger.ms", "10", "10", "5", Source.YOURS));
        assertThat(property(config, "metrics.sample.window.ms").source()).isEqualTo(Source.WEIR);
        assertThat(property(config, "batch.size").source()).isEqualTo(Source.DEFAULT);
        assertThat(property(config, "batch.size").requested()).isEmpty();
    }

    @Test
    void whatTheClientChangesByItselfIsShown() {
        Property idempotence = property(producer(Map.of("acks", "1")), "enable.idempotence");
        assertThat(idempotence)
                .isEqualTo(new Property("producer", "enable.idempotence", "", "false", "true", Source.OVERRIDDEN));
    }

    @Test
    void aPropertyThatOnlyOtherClientsKnowIsLeftOut() {
        assertThat(producer(Map.of()).named("p")).doesNotContainKey("isolation.level");
        ClientConfig consumer = new ClientConfig(Kind.CONSUMER, Map.of(), CLIENT, Map.of());
        assertThat(consumer.named("c")).containsEntry("isolation.level", "read_committed");
    }

    @Test
    void secretsAreHidden() {
        ClientConfig config = producer(Map.of("ssl.keystore.password", "hunter2", "my.plugin.token", "hunter2"));
        assertThat(config.effective()).noneMatch(property -> property.toString().contains("hunter2"));
        assertThat(config.named("p")).containsEntry("ssl.keystore.password", "hunter2");
        assertThat(property(config, "my.plugin.token").effective()).isEqualTo("[hidden]");
    }

    @Test
    void aClientIsNamedUnlessTheUserDid() {
        assertThat(producer(Map.of()).named("p")).containsEntry("client.id", "p");
        assertThat(producer(Map.of("client.id", "mine")).named("p")).containsEntry("client.id", "mine");
    }
}
