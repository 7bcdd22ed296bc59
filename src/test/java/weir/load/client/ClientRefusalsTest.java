package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import weir.load.engine.LoadRefused;

class ClientRefusalsTest {
    private static LoadRefused refused(RuntimeException why) {
        return ClientRefusals.of(new IllegalStateException("thread weir-producer-1 died: " + why, why))
                .orElseThrow();
    }

    @Test
    void aMissingRightNamesTheTableOfRights() {
        LoadRefused refused = refused(new TopicAuthorizationException("Not authorized to access topics: [t]"));
        assertThat(refused)
                .hasMessage(
                        "the cluster refuses: Not authorized to access topics: [t]. docs/rights.md has the rights that a"
                                + " command needs");
        assertThat(refused.fenced()).isFalse();
    }

    @Test
    void aLimitOfTheBrokersIsToldAsTheyTellIt() {
        assertThat(refused(new InvalidTxnTimeoutException("too long"))).hasMessage("too long");
    }

    @Test
    void aClientThatCannotBeMadeNamesTheClassThatIsMissing() {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> made = new KafkaConsumer<>(
                Map.of("bootstrap.servers", "localhost:9", "group.id", "g", "interceptor.classes", "no.Such"),
                bytes,
                bytes)) {
            throw new AssertionError(made + " was made");
        } catch (KafkaException why) {
            assertThat(refused(why).getMessage()).contains("no.Such").doesNotContain("\n");
        }
    }

    @Test
    void aStaticMemberWhoseNameAnotherTookIsFenced() {
        LoadRefused refused = refused(new FencedInstanceIdException("another member has it"));
        assertThat(refused.fenced()).isTrue();
        assertThat(refused).hasMessageStartingWith("group.instance.id is lost (another member has it)");
    }

    @Test
    void anyOtherFailureIsNoRefusal() {
        assertThat(ClientRefusals.of(new IllegalStateException(new TimeoutException("nobody answers"))))
                .isEmpty();
    }
}
