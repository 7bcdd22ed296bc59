package weir.load.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import weir.load.engine.Consuming;
import weir.load.engine.TopicGone;

/** The partitions of the load's topics: topic by topic at the start, and behind those the ones that were added. Any thread asks. */
final class KnownPartitions {
    private final Map<String, Uuid> ids = new HashMap<>();
    private final Map<TopicPartition, Integer> indexes = new ConcurrentHashMap<>();
    private final int atStart;
    private volatile List<TopicPartition> all = List.of();

    KnownPartitions(List<String> topics, Map<String, TopicDescription> described) {
        for (String topic : topics) {
            TopicDescription description = described.get(topic);
            if (description == null) {
                throw new IllegalStateException("there is no topic '" + topic + "'");
            }
            ids.put(topic, description.topicId());
            learn(topic, description.partitions().size());
        }
        this.atStart = all.size();
    }

    List<TopicPartition> all() {
        return all;
    }

    int size() {
        return all.size();
    }

    /** The index of a partition of the load, which may have been unknown. */
    int index(TopicPartition partition) {
        Integer known = indexes.get(partition);
        if (known == null) {
            learn(partition.topic(), partition.partition() + 1);
            known = indexes.get(partition);
        }
        return known == null ? -1 : known;
    }

    boolean wasThereAtStart(TopicPartition partition) {
        return index(partition) < atStart;
    }

    /** The partitions of one of so many readers, from this index on. */
    List<Integer> of(int reader, int readers, int from) {
        List<TopicPartition> now = all;
        List<Integer> mine = new ArrayList<>();
        for (int i = from; i < now.size(); i++) {
            if (Consuming.readerOf(i, now.get(i).toString(), atStart, readers) == reader) {
                mine.add(i);
            }
        }
        return mine;
    }

    /** A topic has at least so many. */
    synchronized void learn(String topic, int partitions) {
        if (partitions == 0 || indexes.containsKey(new TopicPartition(topic, partitions - 1))) {
            return;
        }
        List<TopicPartition> more = new ArrayList<>(all);
        for (int number = 0; number < partitions; number++) {
            TopicPartition partition = new TopicPartition(topic, number);
            if (!indexes.containsKey(partition)) {
                more.add(partition);
            }
        }
        int before = all.size();
        all = List.copyOf(more);
        for (int i = before; i < more.size(); i++) {
            indexes.put(more.get(i), i);
        }
    }

    /** Throws {@link TopicGone} when this is another topic of the same name. */
    synchronized void learn(TopicDescription now) {
        // A topic keeps its partitions, so fewer of the same id are an answer of before; without ids another topic
        // tells itself so.
        boolean fewer = now.topicId().equals(Uuid.ZERO_UUID)
                && indexes.containsKey(
                        new TopicPartition(now.name(), now.partitions().size()));
        if (fewer || !now.topicId().equals(ids.get(now.name()))) {
            throw new TopicGone(TopicGone.madeAgain(now.name()));
        }
        learn(now.name(), now.partitions().size());
    }
}
