package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.release.KafkaVersion;
import weir.plan.ClusterSpec;
import weir.plan.ClusterSpec.Security;

class ClusterCredentialsTest {
    @TempDir
    Path folder;

    @Test
    void kafkaItselfReadsTheKeys() throws Exception {
        ClusterCredentials made =
                ClusterCredentials.make(Security.SSL, KafkaVersion.of("4.3.1"), folder, Set.of(ClusterSpec.LOOPBACK));
        Map<String, Object> node = new HashMap<>(made.node(List.of("SSL")));
        node.put("ssl.protocol", "TLSv1.3");
        node.put("ssl.enabled.protocols", List.of("TLSv1.3"));
        node.put("ssl.cipher.suites", List.of());
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(node);
            assertThat(factory.keystore().size()).isOne();
            assertThat(factory.truststore().size()).isOne();
        }
    }

    @Test
    void everyClusterHasItsOwnPassword() {
        SortedMap<String, String> one = client(Security.SASL_SSL, "4.3.1");
        SortedMap<String, String> other = client(Security.SASL_SSL, "4.3.1");
        assertThat(one.get("sasl.jaas.config"))
                .contains("ScramLoginModule")
                .isNotEqualTo(other.get("sasl.jaas.config"));
    }

    @Test
    void releasesWithoutScramUsersGetPlainOnes() {
        assertThat(client(Security.SASL_PLAINTEXT, "3.4.1"))
                .containsEntry("sasl.mechanism", "PLAIN")
                .doesNotContainKey("ssl.truststore.location");
    }

    @Test
    void plaintextNeedsNothing() {
        assertThat(client(Security.PLAINTEXT, "4.3.1")).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    private SortedMap<String, String> client(Security security, String version) {
        return ClusterCredentials.make(security, KafkaVersion.of(version), folder, Set.of(ClusterSpec.LOOPBACK))
                .client();
    }
}
