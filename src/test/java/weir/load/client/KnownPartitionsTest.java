package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;
import weir.load.engine.TopicGone;

class KnownPartitionsTest {
    private static final Uuid ID = new Uuid(1, 2);

    private final AtomicLong now = new AtomicLong();
    private KafkaFuture<TopicDescription> told = KafkaFuture.completedFuture(topic("a", 2, ID));
    private final KnownPartitions known = twoTopics();

    private KnownPartitions twoTopics() {
        return new KnownPartitions(
                List.of("a", "b"),
                Map.of("a", topic("a", 2, ID), "b", topic("b", 1, ID)),
                () -> Map.of("a", told),
                now::get);
    }

    private static TopicDescription topic(String name, int partitions, Uuid id) {
        List<TopicPartitionInfo> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartitionInfo(number, Node.noNode(), List.of(), List.of()))
                .toList();
        return new TopicDescription(name, false, all, null, id);
    }

    @Test
    void partitionsThatAreAddedKeepTheIndexesOfTheOthers() {
        known.learn(topic("a", 4, ID));
        known.learn("b", 2);
        assertThat(known.all)
                .extracting(TopicPartition::toString)
                .containsExactly("a-0", "a-1", "b-0", "a-2", "a-3", "b-1");
        assertThat(known.index(new TopicPartition("b", 0))).isEqualTo(2);
        assertThat(known.index(new TopicPartition("b", 2)))
                .as("told by who reads it")
                .isEqualTo(6);
    }

    @Test
    void everyAddedPartitionHasOneReaderWhicheverWorkerLearnsOfItFirst() {
        known.learn("a", 9);
        known.learn("b", 9);
        KnownPartitions elsewhere = twoTopics();
        elsewhere.learn("b", 9);
        elsewhere.learn("a", 9);
        List<String> read = IntStream.range(0, 3)
                .mapToObj(reader -> (reader == 0 ? known : elsewhere)
                        .of(reader, 3, 0).stream()
                                .map(index -> (reader == 0 ? known : elsewhere)
                                        .all
                                        .get(index)
                                        .toString())
                                .toList())
                .flatMap(List::stream)
                .toList();
        assertThat(read).hasSize(18).doesNotHaveDuplicates();
    }

    @Test
    void topicThatWasMadeAgainIsGone() {
        assertThatThrownBy(() -> known.learn(topic("a", 2, new Uuid(3, 4))))
                .isInstanceOf(TopicGone.class)
                .hasMessage("topic 'a' was deleted and made again while it was in use");
    }

    @Test
    void fewerPartitionsOfTheSameIdAreAnAnswerOfBefore() {
        known.learn(topic("a", 1, ID));
        assertThat(known.size()).isEqualTo(3);
        KnownPartitions withoutIds =
                new KnownPartitions(List.of("a"), Map.of("a", topic("a", 2, Uuid.ZERO_UUID)), Map::of, now::get);
        assertThatThrownBy(() -> withoutIds.learn(topic("a", 1, Uuid.ZERO_UUID)))
                .isInstanceOf(TopicGone.class);
    }

    @Test
    void topicIsGoneWhenBrokersDoNotKnowItForAWhileAndNotWhenTheyAreAway() {
        told = failed(new TimeoutException());
        known.ask();
        now.addAndGet(10 * TopicGone.SURE_NANOS);
        known.ask();
        told = failed(new UnknownTopicOrPartitionException());
        known.ask();
        now.addAndGet(TopicGone.SURE_NANOS);
        assertThatThrownBy(known::ask).hasMessage("topic 'a' was deleted while it was in use");
    }

    @Test
    void addedPartitionsAreHeardOfFromTimeToTime() {
        told = KafkaFuture.completedFuture(topic("a", 3, ID));
        known.look();
        assertThat(known.size()).isEqualTo(3);
        now.addAndGet(5_000_000_000L);
        known.look();
        known.look();
        assertThat(known.size()).isEqualTo(4);
    }

    private static KafkaFuture<TopicDescription> failed(RuntimeException why) {
        KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
        future.completeExceptionally(why);
        return future;
    }
}
