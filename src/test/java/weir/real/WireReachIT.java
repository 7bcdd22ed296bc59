package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.Cluster;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.load.engine.Engine;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.measure.Steps;
import weir.plan.ClusterSpec.Security;
import weir.plan.Variant;

/** The wire engine with brokers of other versions, and behind encryption and passwords. */
@Timeout(90)
class WireReachIT {
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
    static void openChildren() {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterAll
    static void closeChildren() {
        children.close();
        journal.close();
    }

    private static EmbeddedCluster start(Kafkas kafkas) {
        return EmbeddedCluster.start(kafkas.spec(), children, folder, what -> {});
    }

    /** Every record arrives, whatever the codec and with and without idempotence. */
    private static void assertDelivers(Cluster cluster, Carried.Engines engines, String producer, String consumer)
            throws Exception {
        Carried carried =
                Carried.load(cluster, folder, engines, LOAD.formatted(producer, consumer), load -> {}, topics -> {});
        EngineContract.assertWhole(carried.ledger.balance(Steps.MEASURE), 2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.2", "3.9.2"})
    void olderBrokersAreSpokenToInTheirVersions(String version) throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of(version, 1))) {
            assertDelivers(cluster, Carrier.WIRE, "compression.type: lz4", "");
            assertDelivers(cluster, Carrier.WIRE, "acks: 1", "isolation.level: read_committed");
            assertDelivers(cluster, Carrier.WIRE, "acks: 0", "");
        }
    }

    @Test
    void recordsArriveOverTls() throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of("4.3.1", 1).security(Security.SSL))) {
            assertDelivers(cluster, Carrier.WIRE, "compression.type: zstd", "");
            assertDelivers(cluster, Carrier.WIRE, "acks: 1, max.in.flight.requests.per.connection: 1", "");
        }
    }

    @Test
    void recordsArriveForWhoHasAPassword() throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of("4.3.1", 1).security(Security.SASL_SSL))) {
            for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")) {
                assertDelivers(cluster, as(mechanism, "", ""), "", "");
            }
            assertThatThrownBy(
                            () -> assertDelivers(cluster, as("SCRAM-SHA-512", "password=\"", "password=\"x"), "", ""))
                    .hasMessageContaining("does not let us in by SCRAM-SHA-512")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("password=\""));
        }
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
