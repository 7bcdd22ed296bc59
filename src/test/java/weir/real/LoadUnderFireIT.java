package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** A load finds out that a broker dies under it. */
@Timeout(150)
class LoadUnderFireIT {
    @TempDir
    Path folder;

    @Test
    void withAllAcksADeadBrokerLosesNothing() throws Exception {
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(soonMissed(3).spec(), children, folder, what -> {})) {
            Carried carried = Carried.load(
                    cluster,
                    folder,
                    Carrier.CLIENT,
                    """
                    cluster: { brokers: 3 }
                    topics: { t: { partitions: 3, replication: 3, config: { min.insync.replicas: 2 } } }
                    load: { workload: deliver, producers: 2, rate: 500/s, producer: { acks: all } }
                    warmup: none
                    measure: 4s
                    drain: 60s
                    """,
                    load -> {
                        LockSupport.parkNanos(1_000_000_000);
                        cluster.kill(2);
                    },
                    topics -> {});
            Balance balance = carried.ledger.balance(Steps.MEASURE);
            assertThat(balance.balances()).isTrue();
            assertThat(balance.of(Count.ACKED)).isGreaterThan(1_500);
            assertThat(balance.of(Count.LOST)).isZero();
            assertThat(balance.of(Count.UNREAD)).isZero();
            assertThat(balance.of(Count.DUPLICATED)).isZero();
            assertThat(balance.of(Count.REORDERED)).isZero();
            assertThat(carried.unresolved).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatABrokerThatHangsKeepsFromReadersIsNotLost(boolean leads) throws Exception {
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(soonMissed(2).spec(), children, folder, what -> {})) {
            AtomicInteger hung = new AtomicInteger();
            Carried carried = Carried.load(
                    cluster,
                    folder,
                    Carrier.CLIENT,
                    """
                    cluster: { brokers: 2 }
                    topics: { t: { partitions: 1, replication: 2, config: { min.insync.replicas: 1 } } }
                    load: { workload: produce, rate: 500/s, producer: { acks: %s, request.timeout.ms: 2000 } }
                    warmup: none
                    measure: 2s
                    drain: 6s
                    """.formatted(leads ? "all" : "1"),
                    load -> {
                        LockSupport.parkNanos(1_000_000_000);
                        // Without its leader nothing is acked until the follower takes over (with acks=1 some of the
                        // last would be lost); without its follower what was acked stays out of reach until that one
                        // is fenced.
                        Roles roles = new Roles(cluster);
                        int leader = roles.leader(roles.topic());
                        hung.set(leads ? leader : 3 - leader);
                        cluster.pause(hung.get());
                    },
                    topics -> cluster.resume(hung.get()));
            Balance balance = carried.ledger.balance(Steps.MEASURE);
            assertThat(balance.balances()).isTrue();
            assertThat(balance.of(Count.ACKED)).isGreaterThan(300);
            assertThat(balance.of(Count.LOST)).isZero();
        }
    }

    /** The controller gives a broker up after four seconds, not nine. */
    private static Kafkas soonMissed(int brokers) {
        return Kafkas.of("4.3.1", brokers)
                .controllers(1)
                .broker("broker.session.timeout.ms", "4000")
                .broker("broker.heartbeat.interval.ms", "500");
    }
}
