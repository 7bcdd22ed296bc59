package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** Records that a leader acknowledged and took with it are lost, and the ledger has their number. */
@Timeout(120)
class LossTruthIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void whatOnlyAKilledLeaderHadIsLostAndEachIsCounted(Carrier carrier) throws Exception {
        AtomicReference<Log> log = new AtomicReference<>();
        Kafkas kafka = Kafkas.of("4.3.1", 2)
                .controllers(1)
                .broker("broker.session.timeout.ms", "4000")
                .broker("broker.heartbeat.interval.ms", "500");
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(kafka.spec(), children, folder, what -> {})) {
            Carried carried = Carried.load(
                    cluster,
                    folder,
                    carrier,
                    """
                    cluster: { brokers: 2 }
                    topics: { t: { replication: 2, config: { min.insync.replicas: 1 } } }
                    load: { workload: produce, rate: 1000/s, producer: { acks: 1, enable.idempotence: false } }
                    warmup: none
                    measure: 5s
                    drain: 60s
                    """,
                    load -> {
                        LockSupport.parkNanos(SECOND);
                        Roles roles = new Roles(cluster);
                        int leader = roles.leader(roles.topic());
                        cluster.pause(3 - leader);
                        // The follower still counts as in sync, so it leads next, without what it missed.
                        LockSupport.parkNanos(SECOND);
                        cluster.kill(leader);
                        cluster.resume(3 - leader);
                    },
                    topics -> log.set(Log.read(cluster, topics.get(0))));
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
}
