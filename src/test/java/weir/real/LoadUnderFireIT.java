package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.measure.Balance;
import weir.measure.Steps;

/** What a load finds out when a broker dies under it. */
@Timeout(150)
class LoadUnderFireIT {
    @TempDir
    Path folder;

    @Test
    void withAllAcksADeadBrokerLosesNothing() throws Exception {
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(
                        Kafkas.of("4.3.1", 3).controllers(1).spec(), children, folder, what -> {})) {
            Carried carried = Carried.load(
                    cluster,
                    folder,
                    ClientEngineIT::engine,
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
            assertThat(balance.acked()).isGreaterThan(1_500);
            assertThat(balance.lost()).isZero();
            assertThat(balance.unread()).isZero();
            assertThat(balance.duplicated()).isZero();
            assertThat(balance.reordered()).isZero();
            assertThat(carried.unresolved).isZero();
        }
    }

    @Test
    void whatAStuckFollowerKeepsFromReadersIsNotLost() throws Exception {
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(
                        Kafkas.of("4.3.1", 2).controllers(1).spec(), children, folder, what -> {})) {
            Carried carried = Carried.load(
                    cluster,
                    folder,
                    ClientEngineIT::engine,
                    """
                    cluster: { brokers: 2 }
                    topics: { t: { partitions: 1, replication: 2, config: { min.insync.replicas: 1 } } }
                    load: { workload: produce, rate: 500/s, producer: { acks: 1 } }
                    warmup: none
                    measure: 2s
                    """,
                    load -> {
                        LockSupport.parkNanos(1_000_000_000);
                        // If it leads, nothing is acked until the other one takes over; if it follows, acked records
                        // stay out of reach until it is fenced. In neither case is anything lost that was acked.
                        cluster.pause(2);
                    },
                    topics -> cluster.resume(2));
            Balance balance = carried.ledger.balance(Steps.MEASURE);
            assertThat(balance.balances()).isTrue();
            assertThat(balance.acked()).isGreaterThan(300);
            assertThat(balance.lost()).isZero();
        }
    }
}
