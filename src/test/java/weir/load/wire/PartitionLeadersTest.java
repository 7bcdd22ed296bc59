package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.load.engine.TopicGone;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Connection;

@Timeout(30)
class PartitionLeadersTest {
    /** Longer than any test, so that every metadata request comes from the test. */
    private static final long AGE_MILLIS = 300_000;

    private final FakeBrokers cluster = FakeBrokers.readable(2, 3, (short) 18);
    private final BootstrapBroker contact =
            new BootstrapBroker(cluster.bootstrap(), BrokerAccess.plaintext(), Connection.Options.named("weir-test"));
    private final Semaphore changes = new Semaphore(0);
    private final List<PartitionLeaders> opened = new ArrayList<>();

    PartitionLeadersTest() throws IOException {}

    @AfterEach
    void close() {
        opened.forEach(PartitionLeaders::close);
        contact.close();
        cluster.close();
    }

    private PartitionLeaders leaders(long ageMillis) {
        PartitionLeaders leaders = new PartitionLeaders(contact, List.of("t"), ageMillis, 1, System::nanoTime);
        leaders.listen(changes::release);
        opened.add(leaders);
        return leaders;
    }

    private void awaitThat(BooleanSupplier fact) throws InterruptedException {
        while (!fact.getAsBoolean()) {
            changes.acquire();
        }
    }

    @Test
    void partitionsAndWhoLeadsThemAreThoseOfTheCluster() {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        assertThat(leaders.partitions()).extracting(LoadPartition::toString).containsExactly("t-0", "t-1", "t-2");
        assertThat(leaders.view().leaders())
                .containsExactly(
                        new PartitionLeader(0, cluster.bootstrap().get(0), 1),
                        new PartitionLeader(1, cluster.bootstrap().get(1), 1),
                        new PartitionLeader(0, cluster.bootstrap().get(0), 1));
    }

    @Test
    void outdatedLeaderViewIsReplaced() throws InterruptedException {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        PartitionLeaders.View before = leaders.view();
        cluster.lead(0, 1);
        leaders.outdated(before);
        awaitThat(() -> leaders.view().number() > before.number());
        assertThat(leaders.view().leader(0))
                .isEqualTo(new PartitionLeader(1, cluster.bootstrap().get(1), 2));
        assertThat(leaders.view().leader(1)).isEqualTo(before.leader(1));
    }

    @Test
    void leadersAreAskedForFromTimeToTime() throws InterruptedException {
        PartitionLeaders leaders = leaders(5);
        cluster.lead(0, 1);
        awaitThat(() -> leaders.view().leader(0).broker() == 1);
    }

    @Test
    void aConnectionThatIsLostIsMadeAgain() throws InterruptedException {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        cluster.hangUp();
        cluster.lead(0, 1);
        leaders.outdated(leaders.view());
        awaitThat(() -> leaders.view().leader(0).broker() == 1);
    }

    @Test
    void anOlderEpochNeverReplacesANewerOne() throws InterruptedException {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        cluster.know(0, 1, 7);
        cluster.know(1, 1, 7);
        leaders.outdated(leaders.view());
        awaitThat(() -> leaders.view().leader(0).epoch() == 7);
        PartitionLeaders.View newer = leaders.view();
        cluster.know(0, 0, 6);
        cluster.know(1, 0, 8);
        leaders.outdated(newer);
        awaitThat(() -> leaders.view().number() > newer.number());
        assertThat(leaders.view().leader(0)).isEqualTo(newer.leader(0));
        assertThat(leaders.view().leader(1).broker()).isZero();
    }

    @Test
    void leaderlessPartitionIsPolledUntilALeaderIsElected() throws InterruptedException {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        cluster.know(2, -1, 2);
        leaders.outdated(leaders.view());
        awaitThat(() -> leaders.view().leader(2).none());
        cluster.know(2, 1, 3);
        awaitThat(() -> !leaders.view().leader(2).none());
        assertThat(leaders.view().leader(2).broker()).isEqualTo(1);
    }

    @Test
    void recreatedTopicIsRefused() throws InterruptedException {
        PartitionLeaders leaders = leaders(AGE_MILLIS);
        PartitionLeaders.View before = leaders.view();
        cluster.makeTopicAgain();
        leaders.outdated(before);
        changes.acquire();
        assertThatThrownBy(leaders::view).hasMessage("topic 't' was deleted and created again during the run");
    }

    @Test
    void addedPartitionIsAppendedWithItsLeader() throws InterruptedException {
        PartitionLeaders leaders = leaders(5);
        cluster.addPartition();
        awaitThat(() -> leaders.partitions().size() > 3);
        assertThat(leaders.partitions())
                .extracting(LoadPartition::toString)
                .containsExactly("t-0", "t-1", "t-2", "t-3");
        assertThat(leaders.view().leader(3))
                .isEqualTo(new PartitionLeader(0, cluster.bootstrap().get(0), 1));
    }

    @Test
    void deletedTopicIsRefused() throws InterruptedException {
        AtomicLong later = new AtomicLong();
        try (PartitionLeaders leaders =
                new PartitionLeaders(contact, List.of("t"), AGE_MILLIS, 1, () -> System.nanoTime() + later.get())) {
            leaders.listen(changes::release);
            cluster.deleteTopic();
            leaders.update();
            assertThat(leaders.view().leader(0).none())
                    .as("a broker may have just started")
                    .isTrue();
            later.set(TopicGone.SURE_NANOS);
            assertThatThrownBy(leaders::update).hasMessage("topic 't' was deleted during the run");
            assertThatThrownBy(leaders::view).isInstanceOf(TopicGone.class);
        }
    }

    @Test
    void aTopicThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> new PartitionLeaders(contact, List.of("other"), AGE_MILLIS, 1, System::nanoTime))
                .hasMessage("topic 'other' does not exist");
    }
}
