package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.cluster.ClusterUnavailable;
import weir.plan.Problems;

class ExternalClusterTest {
    private static void connect(Map<String, String> properties) {
        ExternalCluster.connect("127.0.0.1:1", new TreeMap<>(properties));
    }

    @Test
    void aTruststoreThatIsNotThereIsAMistakeInTheProperties() {
        assertThatThrownBy(() -> connect(Map.of(
                        "security.protocol", "SSL", "ssl.truststore.type", "PEM", "ssl.truststore.location", "/nope")))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("/nope")
                .hasMessageContaining("there is no such file")
                .hasMessageNotContaining("refuses connections");
    }

    @Test
    void aClientThatCannotBeMadeAskedNobody() {
        assertThatThrownBy(() -> connect(Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN")))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageContaining("java.security.auth.login.config")
                .hasMessageNotContaining("refuses connections");
    }
}
