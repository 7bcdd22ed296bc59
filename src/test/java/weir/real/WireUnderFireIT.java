package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.cluster.start.EmbeddedCluster;
import weir.host.ProcessAction;
import weir.load.Load;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** A load by the wire engine on misbehaving brokers. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(120)
class WireUnderFireIT {
    private static final String LOAD = """
            cluster: { brokers: 3 }
            topics: { t: { partitions: %d, replication: %d, config: { min.insync.replicas: 1 } } }
            load: { workload: deliver, producers: 2, rate: 500/s, producer: { acks: all, request.timeout.ms: 1000 } }
            warmup: none
            measure: %ds
            drain: 60s
            """;

    @TempDir
    static Path folder;

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        cluster = clusters.three();
    }

    private static Carried carry(int partitions, int replication, int seconds, Asking during) throws Exception {
        return carry(LOAD.formatted(partitions, replication, seconds), during);
    }

    private static Carried carry(String yaml, Asking during) throws Exception {
        Consumer<Load> later = load -> {
            LockSupport.parkNanos(1_000_000_000);
            try (Admin admin = Admin.create(Map.copyOf(cluster.clientProperties()))) {
                String topic = admin.listTopics().names().get().iterator().next();
                during.happens(admin, topic);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        return Carried.load(cluster, folder, Carrier.WIRE, yaml, later, topics -> {});
    }

    private interface Asking {
        void happens(Admin admin, String topic) throws Exception;
    }

    private static void assertNothingIsLost(Carried carried, long seconds) {
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.DUE)).isEqualTo(500 * seconds);
        // Messages that are due while the maximum of batches is in flight wait, and may be unsent at the end.
        assertThat(balance.of(Count.ACKED)).isGreaterThan(500).isEqualTo(balance.of(Count.SENT));
        assertThat(carried.unresolved).isZero();
        assertThat(balance.of(Count.LOST)
                        + balance.of(Count.UNREAD)
                        + balance.of(Count.DUPLICATED)
                        + balance.of(Count.REORDERED))
                .isZero();
    }

    @Test
    @Tag("long")
    void brokerDeathWithAcksAllLosesNothing() throws Exception {
        try {
            assertNothingIsLost(carry(3, 3, 6, (admin, topic) -> cluster.act(ProcessAction.KILL, 2)), 6);
        } finally {
            cluster.restart(2);
        }
    }

    @Test
    void hungLeaderIsAwaitedWithoutLoss() throws Exception {
        Carried carried = carry(1, 1, 4, (admin, topic) -> {
            int leader = new Roles(cluster).leader(topic);
            cluster.act(ProcessAction.PAUSE, leader);
            LockSupport.parkNanos(2_000_000_000L);
            cluster.act(ProcessAction.RESUME, leader);
        });
        assertNothingIsLost(carried, 4);
    }

    @Test
    void aLeaderThatMovesIsFollowed() throws Exception {
        Carried carried = carry(1, 1, 3, (admin, topic) -> {
            var there = new NewPartitionReassignment(List.of(new Roles(cluster).leader(topic) % 3 + 1));
            admin.alterPartitionReassignments(Map.of(new TopicPartition(topic, 0), Optional.of(there)))
                    .all()
                    .get();
        });
        assertNothingIsLost(carried, 3);
    }

    @Test
    void nothingIsWrittenIntoATopicMadeAgain() {
        assertThatThrownBy(() -> carry(2, 1, 5, (admin, topic) -> {
                    admin.deleteTopics(List.of(topic)).all().get();
                    NewTopic again = new NewTopic(topic, 2, (short) 1);
                    while (!admin.listTopics().names().get().contains(topic)) {
                        try {
                            admin.createTopics(List.of(again)).all().get();
                        } catch (ExecutionException stillThere) {
                            LockSupport.parkNanos(10_000_000);
                        }
                    }
                }))
                .hasMessageContaining("was deleted ");
    }

    @Test
    void aQuotaIsObeyedAndReported() throws Exception {
        ClientQuotaEntity everybody = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "slow"));
        try (Admin admin = Admin.create(Map.copyOf(cluster.clientProperties()))) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            everybody, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 300_000.0)))))
                    .all()
                    .get();
        }
        Carried carried = carry("""
                cluster: { brokers: 3 }
                topics: { t: {} }
                load: { workload: produce, rate: max, value: { size: 1000B }, producer: { client.id: slow } }
                warmup: none
                measure: 1s
                drain: 60s
                """, (admin, topic) -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.FAILED)).isZero();
        assertThat(carried.readings).contains("producer.produce-throttle-time-avg");
        assertThat(balance.of(Count.ACKED)).isLessThan(50_000);
    }
}
