package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.cluster.Cluster;
import weir.cluster.start.EmbeddedCluster;
import weir.host.ProcessAction;
import weir.load.engine.Engine;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;
import weir.plan.Variant;

/** Transactions on brokers that die, hang and come back, which must stay all or nothing. */
@Tag("alone")
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(150)
class TransactionUnderFireIT {
    /** Other releases by hand: {@code -Dweir.fire.kafka=2.7.2}. */
    private static final String VERSION = System.getProperty("weir.fire.kafka", "4.4.0");

    private static final long SECOND = 1_000_000_000L;
    private static final String TOPICS = """
            cluster: { brokers: 3 }
            topics:
              left: { partitions: 2, replication: 3, config: { min.insync.replicas: 2 } }
              right: { replication: 3, config: { min.insync.replicas: 2 } }
            warmup: none
            drain: 60s
            """;

    @TempDir
    static Path folder;

    private static EmbeddedCluster cluster;
    private static volatile int dead;

    /** The prefix of the ids of the running load, and its topics. */
    private final AtomicReference<String> ids = new AtomicReference<>("");

    private final AtomicReference<List<String>> topics = new AtomicReference<>(List.of());

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        cluster = clusters.three();
    }

    private Engine engine(Variant variant, Cluster cluster, List<String> names, String group, Consumer<String> events) {
        ids.set(group);
        topics.set(names);
        return Carrier.CLIENT.engine(variant, cluster, names, group, events);
    }

    /** {@code fire} runs one second into the measured stage. */
    private Carried carry(String yaml, Runnable fire) throws Exception {
        return Carried.load(
                cluster,
                folder,
                this::engine,
                TOPICS + yaml,
                load -> {
                    LockSupport.parkNanos(SECOND);
                    fire.run();
                },
                names -> {});
    }

    private int leader() {
        return new Roles(cluster).leader(topics.get().get(0));
    }

    private int coordinator() {
        return new Roles(cluster).coordinator(ids.get() + "-0");
    }

    private void kill(int broker) {
        dead = broker;
        cluster.act(ProcessAction.KILL, broker);
    }

    @AfterEach
    void bringBackWhoWasKilled() {
        if (dead > 0) {
            cluster.restart(dead);
            dead = 0;
        }
    }

    private static void assertWhole(Carried carried) {
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        Atomicity atomicity = carried.ledger.atomicity();
        String evidence = atomicity + "\n" + balance + "\n" + String.join("\n", carried.events);
        assertThat(atomicity.violations()).as(evidence).isEmpty();
        assertThat(atomicity.torn()).as(evidence).isZero();
        assertThat(atomicity.abortedReads()).as(evidence).isZero();
        assertThat(atomicity.transactions()).as(evidence).isPositive();
        assertThat(balance.balances()).as(evidence).isTrue();
        assertThat(balance.of(Count.LOST)
                        + balance.of(Count.UNREAD)
                        + balance.of(Count.DUPLICATED)
                        + balance.of(Count.REORDERED))
                .as(evidence)
                .isZero();
        assertThat(balance.of(Count.UNRESOLVED)).as(evidence).isZero();
    }

    @Test
    void theLeaderOfThePartitionsIsKilled() throws Exception {
        Carried carried = carry("""
                load: { workload: write, rate: 100/s, producers: 2, transaction: { records: 20, abort: 30% } }
                measure: { operations: 300 }
                """, () -> kill(leader()));
        assertWhole(carried);
        assertThat(carried.ledger.atomicity().aborted())
                .as("%s", carried.ledger.atomicity())
                .isPositive();
    }

    @Test
    void theCoordinatorHangsLongerThanRequestsAreWaitedFor() throws Exception {
        Carried carried = carry("""
                load:
                  workload: write
                  rate: 40/s
                  producers: 2
                  transaction: each
                  producer: { request.timeout.ms: 500, max.block.ms: 1000, delivery.timeout.ms: 1500 }
                measure: { operations: 150 }
                """, () -> {
            int coordinator = coordinator();
            cluster.act(ProcessAction.PAUSE, coordinator);
            // The controller fences the broker, which comes back and still believes that it is the coordinator.
            LockSupport.parkNanos(4 * SECOND);
            cluster.act(ProcessAction.RESUME, coordinator);
        });
        assertWhole(carried);
        assertThat(carried.ledger.atomicity().timedOut()).isPositive();
    }

    @Test
    void theCoordinatorOfAStreamIsKilled() throws Exception {
        Carried carried =
                carry("""
                load:
                  workload: stream
                  from: left
                  to: right
                  backlog: 1000 records
                  producers: 2
                  group: { name: shared, protocol: %s }
                  rate: 200/s
                  transaction: { records: 10 }
                measure: { operations: 500 }
                """.formatted(VERSION.startsWith("4.") ? "consumer" : "classic"), () -> kill(coordinator()));
        assertWhole(carried);
        Atomicity atomicity = carried.ledger.atomicity();
        assertThat(atomicity.offsetsWithoutRecord() + atomicity.recordsWithoutOffset() + atomicity.writtenTwice())
                .as("%s", atomicity)
                .isZero();
    }
}
