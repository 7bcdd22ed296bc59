package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.load.engine.Engine;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.measure.Steps;
import weir.plan.ClusterSpec.Security;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/** Brokers behind encryption and passwords, and both engines in front of them. */
@Timeout(120)
class SecurityIT {
    private static final String LOAD = """
            topics: { a: { partitions: 2 }, b: { partitions: 1 } }
            load: { workload: deliver, rate: max, value: { size: 500B }, producer: { %s }, consumer: { %s } }
            warmup: none
            measure: { operations: 2000 }
            """;

    @TempDir
    static Path folder;

    private static Journal journal;
    private static Children children;

    @BeforeAll
    static void open() {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterAll
    static void close() {
        children.close();
        journal.close();
    }

    private static EmbeddedCluster start(Kafkas asked) {
        return EmbeddedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {});
    }

    @Test
    void usersReachTheirClusterByEitherEngineAndStrangersDoNot() throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of("4.3.1", 1).security(Security.SASL_SSL))) {
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
                        TrialTopics topics = TrialTopics.on(reached, name -> "weir-x-" + name, journal)) {
                    assertThat(reached.id()).isEqualTo(cluster.id());
                    topics.create(Map.of("a", topic(1, 1, 1)));
                    Log.write(reached, "weir-x-a", 2);
                    assertThat(topics.offsets(topics.partitions("a"))).containsValue(new TrialTopics.Offsets(0, 2, 2));
                    topics.delete();
                }
            }
            assertThatThrownBy(() -> ExternalCluster.connect(cluster.bootstrap(), stranger))
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("Authentication failed");
            for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")) {
                assertDelivers(cluster, as(mechanism, "", ""), "", "");
            }
            assertThatThrownBy(
                            () -> assertDelivers(cluster, as("SCRAM-SHA-512", "password=\"", "password=\"x"), "", ""))
                    .hasMessageContaining("does not let us in by SCRAM-SHA-512")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("password=\""));
            assertThat(cluster.settings().toString()).doesNotContain("password=");
        }
    }

    @Test
    void encryptedClientsReachTheirClusterByEitherEngine() throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of("4.3.1", 1).security(Security.SSL));
                ExternalCluster reached = ExternalCluster.connect(cluster.bootstrap(), cluster.clientProperties())) {
            assertThat(reached.brokers()).hasSize(1);
            assertThat(reached.version()).isEqualTo("4.3");
            Log.write(reached, "made-by-writing", 1);
            assertDelivers(cluster, Carrier.WIRE, "compression.type: zstd", "");
            assertDelivers(cluster, Carrier.WIRE, "acks: 1, max.in.flight.requests.per.connection: 1", "");
        }
    }

    private static TopicSpec topic(int partitions, int replication, int count) {
        return new TopicSpec(partitions, replication, count, false, new TreeMap<>(Map.of("segment.bytes", "2097152")));
    }

    /** Every record arrives, whatever the codec and with and without idempotence. */
    private static void assertDelivers(Cluster cluster, Carried.Engines engines, String producer, String consumer)
            throws Exception {
        Carried carried =
                Carried.load(cluster, folder, engines, LOAD.formatted(producer, consumer), load -> {}, topics -> {});
        EngineContract.assertWhole(carried.ledger.balance(Steps.MEASURE), 2_000);
    }

    /** As the cluster's own user, by this mechanism, with something wrong in how it says so. */
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
                        events));
            }
        };
    }
}
