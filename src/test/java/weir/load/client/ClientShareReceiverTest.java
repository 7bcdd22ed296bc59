package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.load.OneInbox;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.read.Inbox;
import weir.measure.Balance;
import weir.measure.Count;
import weir.plan.GroupSpec;
import weir.plan.GroupSpec.Acknowledge;
import weir.plan.GroupSpec.Protocol;
import weir.plan.LoadSpec;
import weir.plan.Ratio;
import weir.plan.ThreadsSpec;
import weir.plan.WorkSpec;

/** The deliveries and acknowledgements of a share group, on a group in memory. */
class ClientShareReceiverTest {
    private static final int RECORDS = 200;

    private final OneInbox load = OneInbox.ofShareGroup();

    private void receive(int records, Acknowledge acknowledge, double release, double reject, Set<Long> refused) {
        load.acked(0, RECORDS);
        ArrivalDeserializer deserializer = new ArrivalDeserializer(true);
        LoadSpec.Consumers readers = new LoadSpec.Consumers(
                1,
                LoadSpec.Engine.CLIENT,
                new TreeMap<>(),
                new GroupSpec("g", Protocol.SHARE, false, acknowledge),
                WorkSpec.NONE,
                ThreadsSpec.ONE,
                LoadSpec.Commit.AUTO,
                new LoadSpec.Outcome(new Ratio(release), new Ratio(reject)));
        TopicPartitionInfo partition = new TopicPartitionInfo(0, new Node(1, "h", 1), List.of(), List.of());
        TopicDescription topic =
                new TopicDescription(FakeShareConsumer.TOPIC, false, List.of(partition), Set.of(), new Uuid(1, 1));
        List<String> topics = List.of(FakeShareConsumer.TOPIC);
        KnownPartitions partitions =
                new KnownPartitions(topics, Map.of(FakeShareConsumer.TOPIC, topic), Map::of, System::nanoTime);
        FakeShareConsumer consumer =
                new FakeShareConsumer(deserializer, records, acknowledge == Acknowledge.EXPLICIT, refused, load::close);
        new ClientShareReceiver(deserializer, consumer, partitions, topics, readers, 1, System::nanoTime)
                .fill(load.inbox);
    }

    /** Returns the balance if these records are in the log, and the group has completed the first ones. */
    private Balance completed(int records, int completed) {
        Inbox stored = load.another(Inbox.Counting.STORED);
        Arrival arrival = new Arrival();
        for (long offset = 0; offset < records; offset++) {
            byte[] value = new byte[32];
            Identity.write(value, OneInbox.RUN_TAG, 0, offset, 0);
            arrival.read(ByteBuffer.wrap(value));
            stored.take(0, offset, arrival, value.length);
        }
        stored.settle();
        load.completed(completed);
        return load.balance(records);
    }

    @ParameterizedTest
    @EnumSource(Acknowledge.class)
    void everyRecordIsAcceptedOnce(Acknowledge acknowledge) {
        receive(RECORDS, acknowledge, 0, 0, Set.of());
        Balance balance = completed(RECORDS, RECORDS);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.ACQUIRED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.ACCEPTED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.REDELIVERED)
                        + balance.of(Count.LOCK_EXPIRED)
                        + balance.of(Count.ARCHIVED)
                        + balance.of(Count.LOST)
                        + balance.of(Count.REORDERED)
                        + balance.of(Count.DUPLICATED))
                .isZero();
    }

    @Test
    void releasedRecordIsDeliveredAgainAndCountsOnceAsReceived() {
        receive(RECORDS, Acknowledge.EXPLICIT, 0.3, 0, Set.of());
        Balance balance = completed(RECORDS, RECORDS);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.ACCEPTED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.RELEASED)).isBetween(50L, 130L);
        assertThat(balance.of(Count.REDELIVERED)).isEqualTo(balance.of(Count.RELEASED));
        assertThat(balance.of(Count.REREAD)).isEqualTo(balance.of(Count.RELEASED));
        assertThat(balance.of(Count.ACQUIRED)).isEqualTo(balance.of(Count.ACCEPTED) + balance.of(Count.RELEASED));
        assertThat(balance.of(Count.REORDERED)).isZero();
        assertThat(load.received()).isEqualTo(RECORDS);
    }

    @Test
    void rejectedRecordIsArchived() {
        receive(RECORDS, Acknowledge.EXPLICIT, 0, 0.2, Set.of());
        Balance balance = completed(RECORDS, RECORDS);
        assertThat(balance.of(Count.REJECTED)).isBetween(15L, 70L);
        assertThat(balance.of(Count.ARCHIVED)).isEqualTo(balance.of(Count.REJECTED));
        assertThat(balance.of(Count.ACCEPTED)).isEqualTo(RECORDS - balance.of(Count.REJECTED));
    }

    @Test
    void refusedAcknowledgementIsAnExpiredLock() {
        receive(RECORDS, Acknowledge.EXPLICIT, 0, 0, Set.of(7L, 8L, 100L));
        Balance balance = completed(RECORDS, RECORDS);
        assertThat(balance.of(Count.LOCK_EXPIRED)).isEqualTo(3);
        assertThat(balance.of(Count.REDELIVERED)).isEqualTo(3);
        assertThat(balance.of(Count.ACCEPTED)).isEqualTo(RECORDS);
        assertThat(balance.of(Count.ARCHIVED)).isZero();
    }

    @Test
    void storedRecordThatNoReaderGotIsArchivedIfTheGroupCompletedIt() {
        receive(RECORDS - 10, Acknowledge.IMPLICIT, 0, 0, Set.of());
        Balance balance = completed(RECORDS, RECORDS);
        assertThat(balance.of(Count.ARCHIVED)).isEqualTo(10);
        assertThat(balance.of(Count.LOST) + balance.of(Count.UNREAD)).isZero();
    }

    @Test
    void storedRecordThatNoReaderGotIsUnreadIfTheGroupDidNotReachIt() {
        receive(RECORDS - 10, Acknowledge.IMPLICIT, 0, 0, Set.of());
        Balance balance = completed(RECORDS, RECORDS - 10);
        assertThat(balance.of(Count.UNREAD)).isEqualTo(10);
        assertThat(balance.of(Count.LOST) + balance.of(Count.ARCHIVED)).isZero();
    }

    @Test
    void ackedRecordThatIsNotInTheLogIsLost() {
        receive(RECORDS - 10, Acknowledge.IMPLICIT, 0, 0, Set.of());
        Balance balance = completed(RECORDS - 4, RECORDS - 4);
        assertThat(balance.of(Count.LOST)).isEqualTo(4);
        assertThat(balance.of(Count.ARCHIVED)).isEqualTo(6);
    }

    @Test
    void withoutTheCheckOfTheLogMissingRecordsAreUnread() {
        receive(RECORDS - 10, Acknowledge.IMPLICIT, 0, 0, Set.of());
        Balance balance = load.balance(RECORDS);
        assertThat(balance.of(Count.UNREAD)).isEqualTo(10);
        assertThat(balance.of(Count.LOST) + balance.of(Count.ARCHIVED)).isZero();
    }

    @Test
    void pendingAcknowledgementsAgreeWithAMap() {
        ClientShareReceiver.PendingAcks pending = new ClientShareReceiver.PendingAcks();
        Map<List<Long>, Long> expected = new HashMap<>();
        List<List<Long>> keys = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            if (random.nextInt(keys.size() + 1) < 1_500) {
                long partition = random.nextInt(3);
                long offset = random.nextInt(1_000_000);
                pending.add((int) partition, offset, Count.ACCEPTED, 1, i);
                if (expected.put(List.of(partition, offset), (long) i) == null) {
                    keys.add(List.of(partition, offset));
                }
            } else {
                List<Long> key = keys.remove(random.nextInt(keys.size()));
                List<Long> found = new ArrayList<>();
                pending.remove(key.get(0).intValue(), key.get(1), (kind, producer, sequence) -> found.add(sequence));
                assertThat(found).containsExactly(expected.remove(key));
            }
            assertThat(pending.size).isEqualTo(expected.size());
        }
        pending.remove(9, 9, (kind, producer, sequence) -> {
            throw new AssertionError("never added");
        });
    }
}
