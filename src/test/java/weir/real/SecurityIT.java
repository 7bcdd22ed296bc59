package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.KnownToWork;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.load.engine.Engine;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.plan.ClusterSpec.Security;
import weir.plan.Variant;

/** Brokers with encryption and passwords, and both engines as their clients. */
@Timeout(120)
class SecurityIT {
    @TempDir
    Path folder;

    @Test
    @KnownToWork({"security: SASL_SSL with SCRAM-SHA-512; client and wire", "security: SASL_SSL with PLAIN; client"})
    void usersReachTheirClusterByEitherEngineAndStrangersDoNot() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(folder, Kafkas.of("4.4.0", 1).security(Security.SASL_SSL))) {
            EmbeddedCluster cluster = kafka.cluster();
            SortedMap<String, String> scram = cluster.clientProperties();
            SortedMap<String, String> plain = new TreeMap<>(scram);
            plain.put("sasl.mechanism", "PLAIN");
            plain.computeIfPresent(
                    "sasl.jaas.config", (name, login) -> login.replace("scram.ScramLogin", "plain.PlainLogin"));
            SortedMap<String, String> stranger = new TreeMap<>(scram);
            stranger.computeIfPresent(
                    "sasl.jaas.config", (name, login) -> login.replaceAll("password=\"\\w+\"", "password=\"guess\""));
            for (SortedMap<String, String> client : List.of(scram, plain)) {
                try (ExternalCluster reached = ExternalCluster.connect(cluster.bootstrap(), client);
                        TrialTopics topics = TrialTopics.on(reached, name -> "weir-x-" + name, kafka.journal())) {
                    assertThat(reached.id()).isEqualTo(cluster.id());
                    topics.create(Map.of("a", Kafkas.topic(1, 1, 1)));
                    Log.write(reached, "weir-x-a", 2);
                    assertThat(topics.appended()).isEqualTo(2);
                    topics.delete();
                }
            }
            assertThatThrownBy(() -> ExternalCluster.connect(cluster.bootstrap(), stranger))
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("Authentication failed");
            EngineContract.assertDelivers(cluster, folder, as("SCRAM-SHA-512", "", ""), "", "");
            assertThatThrownBy(() -> EngineContract.assertDelivers(
                            cluster, folder, as("SCRAM-SHA-512", "password=\"", "password=\"x"), "", ""))
                    .hasMessageContaining("rejected the login with SCRAM-SHA-512")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("password=\""));
            assertThat(cluster.settings().toString()).doesNotContain("password=");
        }
    }

    @Test
    @Tag("long")
    @KnownToWork({
        "security: SASL_SSL with SCRAM-SHA-256 and PLAIN; wire",
        "client file: shared with other programs, and `config.providers` inside `sasl.jaas.config`; client and wire"
    })
    void otherMechanismsAndCommandsReachTheirClusterToo() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(folder, Kafkas.of("4.4.0", 1).security(Security.SASL_SSL))) {
            for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256")) {
                EngineContract.assertDelivers(kafka.cluster(), folder, as(mechanism, "", ""), "", "");
            }
            assertTaken(
                    kafka.cluster(),
                    "perf producer --topic shared --num-records 5 --record-size 100 --throughput -1 --engine wire",
                    "perf consumer --topic shared --num-records 5",
                    "monitor shared --samples 1",
                    "doctor --brokers");
        }
    }

    @Test
    @KnownToWork("security: TLS with a client certificate; client and wire")
    @Tag("long")
    void encryptedClientsReachTheirClusterByEitherEngine() throws Exception {
        try (OwnKafka kafka = OwnKafka.start(folder, Kafkas.of("4.4.0", 1).security(Security.SSL));
                ExternalCluster reached = ExternalCluster.connect(
                        kafka.cluster().bootstrap(), kafka.cluster().clientProperties())) {
            EmbeddedCluster cluster = kafka.cluster();
            assertThat(reached.brokers()).hasSize(1);
            assertThat(reached.version()).isEqualTo("4.4");
            Log.write(reached, "made-by-writing", 1);
            EngineContract.assertDelivers(
                    cluster,
                    folder,
                    Carrier.WIRE,
                    "compression.type: zstd, acks: 1, max.in.flight.requests.per.connection: 1",
                    "");
        }
    }

    /** A file that other programs share, whose password Kafka's own provider reads. */
    private void assertTaken(EmbeddedCluster cluster, String... commands) throws Exception {
        SortedMap<String, String> client = cluster.clientProperties();
        Matcher login =
                Pattern.compile("(.*password=\")(\\w+)(\".*)").matcher(client.getOrDefault("sasl.jaas.config", ""));
        assertThat(login.matches()).isTrue();
        Path secret = Files.writeString(folder.resolve("secret.properties"), "password=" + login.group(2) + "\n");
        Properties shared = new Properties();
        shared.putAll(client);
        shared.put("bootstrap.servers", "SASL_SSL://" + cluster.bootstrap());
        shared.put("config.providers", "file");
        shared.put("config.providers.file.class", FileConfigProvider.class.getName());
        shared.put("sasl.jaas.config", login.group(1) + "${file:" + secret + ":password}" + login.group(3));
        shared.put("group.id", "theirs");
        shared.put("basic.auth.user.info", "KEY:SECRET");
        Path file = folder.resolve("client.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            shared.store(writer, "");
        }
        Log.write(cluster, "shared", 3);
        Door door = new Door(Files.createDirectories(folder.resolve("door")).toRealPath());
        for (String command : commands) {
            List<String> words = new ArrayList<>(List.of(command.split(" ")));
            words.addAll(List.of("--command-config", file.toString()));
            Door.Ended ended = door.weir(words.toArray(String[]::new));
            assertThat(ended.err())
                    .as(command + ": " + ended.out())
                    .contains("'group.id'", "'basic.auth.user.info'", "has no effect")
                    .doesNotContain("SECRET", login.group(2));
            // Advice about brokers may be bad; no command may refuse the file.
            assertThat(ended.exit())
                    .as(command + ended.err())
                    .isIn(command.startsWith("doctor") ? List.of(0, 3) : List.of(0));
        }
    }

    /** Logs in as the cluster's own user, by this mechanism, with a fault in the login. */
    private static Carried.Engines as(String mechanism, String right, String wrong) {
        String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
        return new Carried.Engines() {
            @Override
            public Engine engine(
                    Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
                SortedMap<String, String> client = new TreeMap<>(cluster.clientProperties());
                client.put("sasl.mechanism", mechanism);
                client.computeIfPresent(
                        "sasl.jaas.config",
                        (name, config) -> config.replaceFirst("\\w+\\.\\w+LoginModule", module)
                                .replace(right, wrong));
                return Engine.of(new WireEngine(
                        new WireEngine.Asked(
                                client, new TreeMap<>(), new TreeMap<>(), topics, 1, false, RecordAudience.ANYONE),
                        System::nanoTime,
                        System::currentTimeMillis,
                        events));
            }
        };
    }
}
