package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.measure.Balances.assertCounts;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
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

/** A load while one of its three brokers dies or hangs. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(150)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LoadUnderFireIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    static Path folder;

    private static EmbeddedCluster cluster;

    private int killed;

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        cluster = clusters.three();
    }

    @AfterEach
    void reviveTheDead() {
        if (killed > 0) {
            cluster.restart(killed);
        }
    }

    private void kill(int broker) {
        cluster.act(ProcessAction.KILL, broker);
        killed = broker;
    }

    private static Carried carry(Carrier carrier, String yaml, Runnable during, Consumer<String> after)
            throws Exception {
        Consumer<Load> afterASecond = load -> {
            LockSupport.parkNanos(SECOND);
            during.run();
        };
        String brokers = "cluster: { brokers: 3 }\n";
        return Carried.load(
                cluster, folder, carrier, brokers + yaml, afterASecond, topics -> after.accept(topics.get(0)));
    }

    /** The first test, because it needs all three brokers. */
    @Test
    @Order(1)
    void brokerDeathWithAcksAllLosesNothing() throws Exception {
        Carried carried = carry(Carrier.CLIENT, """
                topics: { t: { partitions: 3, replication: 3, config: { min.insync.replicas: 2 } } }
                load: { workload: deliver, producers: 2, rate: 500/s, producer: { acks: all } }
                warmup: none
                measure: 4s
                drain: 60s
                """, () -> kill(2), topic -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.ACKED)).isGreaterThan(1_500);
        assertCounts(balance, "lost 0, unread 0, duplicated 0, reordered 0");
        assertThat(carried.unresolved).isZero();
    }

    /**
     * Without its leader, a partition acks nothing until the follower takes over; with acks=1 some last records would
     * be lost. Without its follower, acked records are unavailable until the follower is fenced.
     */
    @Test
    @Order(2)
    void recordsBehindAHungLeaderAreNotLost() throws Exception {
        assertNothingIsLostBehindAHungBroker(true);
    }

    @Test
    @Tag("long")
    @Order(5)
    void recordsBehindAHungFollowerAreNotLost() throws Exception {
        assertNothingIsLostBehindAHungBroker(false);
    }

    private void assertNothingIsLostBehindAHungBroker(boolean leads) throws Exception {
        AtomicReference<Integer> hung = new AtomicReference<>(0);
        Carried carried = carry(
                Carrier.CLIENT,
                """
                topics: { t: { partitions: 1, replication: 2, config: { min.insync.replicas: 1 } } }
                load: { workload: produce, rate: 500/s, producer: { acks: %s, request.timeout.ms: 2000 } }
                warmup: none
                measure: 2s
                drain: 6s
                """.formatted(leads ? "all" : "1"),
                () -> {
                    Roles roles = new Roles(cluster);
                    hung.set(leads ? roles.leader(roles.topic()) : roles.follower(roles.topic()));
                    cluster.act(ProcessAction.PAUSE, hung.get());
                },
                topic -> cluster.act(ProcessAction.RESUME, hung.get()));
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.ACKED)).isGreaterThan(300);
        assertThat(balance.of(Count.LOST)).isZero();
    }

    /** The ledger counts the acknowledged records that a killed leader takes with it. */
    @Test
    @Order(3)
    @Tag("long")
    void clientEngineCountsEachRecordLostWithAKilledLeader() throws Exception {
        assertEachLostIsCounted(Carrier.CLIENT);
    }

    @Test
    @Tag("long")
    @Order(4)
    void wireEngineCountsEachRecordLostWithAKilledLeader() throws Exception {
        assertEachLostIsCounted(Carrier.WIRE);
    }

    private void assertEachLostIsCounted(Carrier carrier) throws Exception {
        AtomicReference<Log> log = new AtomicReference<>();
        Carried carried = carry(
                carrier,
                """
                topics: { t: { replication: 2, config: { min.insync.replicas: 1 } } }
                load: { workload: produce, rate: 1000/s, producer: { acks: 1, enable.idempotence: false } }
                warmup: none
                measure: 5s
                drain: 60s
                """,
                () -> {
                    Roles roles = new Roles(cluster);
                    int leader = roles.leader(roles.topic());
                    int follower = roles.follower(roles.topic());
                    cluster.act(ProcessAction.PAUSE, follower);
                    // The follower still counts as in sync, so it leads next, without the records that it missed.
                    LockSupport.parkNanos(SECOND);
                    kill(leader);
                    cluster.act(ProcessAction.RESUME, follower);
                },
                topic -> log.set(Log.read(cluster, topic)));
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.FAILED) + balance.of(Count.UNRESOLVED)).isZero();
        assertThat(balance.of(Count.LOST))
                .isGreaterThan(500)
                .isEqualTo(balance.of(Count.ACKED) - log.get().distinct());
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(log.get().distinct());
        assertThat(balance.of(Count.DUPLICATED)).isEqualTo(log.get().duplicates());
        assertThat(balance.of(Count.UNREAD) + balance.of(Count.EXPIRED) + balance.of(Count.REREAD))
                .isZero();
    }
}
