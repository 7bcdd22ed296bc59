package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.cluster.LoopbackKeys;
import weir.cluster.release.KafkaVersion;
import weir.host.Journal;
import weir.host.ProcessId;
import weir.plan.ClusterSpec;
import weir.plan.ClusterSpec.Security;
import weir.plan.Problems;

class ExternalClusterTest {
    private static final NamedCluster STARTED = new NamedCluster(
            "dup", "4.3.1", "127.0.0.1:1", Path.of("c"), Path.of("l"), List.of(), List.of(), List.of());

    @TempDir
    private Path state;

    @TempDir
    Path folder;

    private static void connect(Map<String, String> properties) {
        ExternalCluster.connect("127.0.0.1:1", new TreeMap<>(properties));
    }

    @Test
    void aTruststoreThatIsNotThereIsAMistakeInTheProperties() {
        assertThatThrownBy(() -> connect(Map.of(
                        "security.protocol", "SSL", "ssl.truststore.type", "PEM", "ssl.truststore.location", "/nope")))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("/nope")
                .hasMessageContaining(": the file does not exist")
                .hasMessageNotContaining("refuses connections");
    }

    @Test
    void invalidClientConfigurationFailsWithoutConnecting() {
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

    /** The start of a cluster in its own process, until its standard input ends or it is killed. */
    static final class Starting {
        private Starting() {}

        public static void main(String[] arguments) {
            NamedCluster.alone("dup", Path.of(arguments[0]), () -> {
                try {
                    System.out.println("starting");
                    var unused = System.in.read();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
                return STARTED;
            });
        }
    }

    private NamedCluster start(String name) {
        return NamedCluster.alone(name, state, () -> STARTED);
    }

    private void refused() {
        assertThatThrownBy(() -> start("dup"))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageContaining("a cluster 'dup' is started by another weir process")
                .hasMessageContaining("use another name");
    }

    @Test
    void secondProcessCannotStartSameClusterNameUntilFirstEnds() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starting.class.getName(),
                        state.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("starting");
            refused();
            assertThat(start("another")).isSameAs(STARTED);
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(start("dup")).isSameAs(STARTED);
    }

    @Test
    void aStartThatFailsLeavesNoFolder() {
        try (Journal journal = Journal.open(state)) {
            ClusterSpec tooOld = BrokerJvm.BrokerClassArchive.smallest("2.6.0");
            assertThatThrownBy(() ->
                            NamedCluster.start("bad", tooOld, state, journal, what -> {}, NamedCluster.Companion.NONE))
                    .hasMessageContaining("must be 2.7.0 or later");
        }
        assertThat(state.resolve("clusters")).isDirectoryNotContaining("glob:**bad-*");
    }

    @Test
    void clusterNameIsReservedDuringStartAndReleasedAfterFailure() {
        Supplier<NamedCluster> failing = () -> {
            refused();
            throw new ClusterUnavailable("no Kafka");
        };
        assertThatThrownBy(() -> NamedCluster.alone("dup", state, failing)).hasMessage("no Kafka");
        assertThat(start("dup")).isSameAs(STARTED);
    }

    @Test
    void clusterFolderWithoutPropertiesIsNotListed() throws Exception {
        Path folder = Files.createDirectories(state.resolve("clusters/dup-1"));
        Files.createSymbolicLink(folder.resolve("cluster.properties"), folder.resolve("gone"));
        Files.createDirectories(state.resolve("clusters/empty"));
        assertThat(NamedCluster.list(state)).isEmpty();
    }

    @Test
    void metricsServerIsACompanionAndNoClusterProcess() throws Exception {
        ProcessId here = ProcessId.of(ProcessHandle.current().pid());
        Path folder = Files.createDirectories(state.resolve("clusters/dup-1"));
        String id = here.pid() + " " + here.started();
        Files.writeString(
                folder.resolve("cluster.properties"),
                "name=dup\nprocesses=999999999 boot:1," + id.replace("\\", "\\\\") + "\ncompanions=" + id + "\n");
        NamedCluster cluster = NamedCluster.list(state).get(0);
        assertThat(cluster.processes()).hasSize(2);
        assertThat(cluster.running()).isEqualTo(1);
        assertThat(cluster.companions()).containsExactly(here);
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        assertThatThrownBy(() -> start("../up")).hasMessageContaining("'../up' is not a cluster name");
    }

    @Test
    void kafkaItselfReadsTheKeys() throws Exception {
        Map<String, Object> node = new HashMap<>(LoopbackKeys.in(folder).server());
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
    void plaintextClusterNeedsNoCredentials() {
        assertThat(client(Security.PLAINTEXT, "4.3.1")).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    private SortedMap<String, String> client(Security security, String version) {
        return ClusterCredentials.make(security, KafkaVersion.of(version), folder, Set.of(ClusterSpec.LOOPBACK))
                .client();
    }
}
