package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    @Test
    void aStoreThatCannotBeReadIsNamedWithItsType(@TempDir Path folder) throws IOException {
        Path pem = Files.writeString(folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\n");
        assertThatThrownBy(() -> connect(Map.of("security.protocol", "SSL", "ssl.truststore.location", pem.toString())))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageEndingWith("Failed to load SSL keystore " + pem + " of type JKS: Invalid keystore format");
        assertThatThrownBy(() -> connect(Map.of(
                        "security.protocol",
                        "SSL",
                        "ssl.keystore.type",
                        "PEM",
                        "ssl.keystore.certificate.chain",
                        "x",
                        "ssl.keystore.key",
                        "-----BEGIN PRIVATE KEY-----\nMIIc\n-----END PRIVATE KEY-----")))
                .hasMessageContaining("Private key could not be loaded: ")
                .hasMessageNotContaining("MIIc");
    }

    @Test
    void aTokenEndpointThatRefusesIsOneLine() throws IOException {
        HttpServer endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        endpoint.createContext("/", exchange -> {
            exchange.sendResponseHeaders(400, -1);
            exchange.close();
        });
        endpoint.start();
        try {
            assertThatThrownBy(() -> connect(Map.of(
                            "security.protocol",
                            "SASL_PLAINTEXT",
                            "sasl.mechanism",
                            "OAUTHBEARER",
                            "sasl.login.callback.handler.class",
                            OAuthBearerLoginCallbackHandler.class.getName(),
                            "sasl.oauthbearer.token.endpoint.url",
                            "http://127.0.0.1:" + endpoint.getAddress().getPort(),
                            "sasl.jaas.config",
                            OAuthBearerLoginModule.class.getName()
                                    + " required clientId=\"me\" clientSecret=\"closed\";")))
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("The response code 400")
                    .hasMessageNotContainingAny("\n", "Exception");
        } finally {
            endpoint.stop(0);
        }
    }
}
