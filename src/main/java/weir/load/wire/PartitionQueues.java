package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import weir.wire.Call;
import weir.wire.TopicName;

/** The queues of one sender, and the choice of a queue for each message. */
final class PartitionQueues {
    final List<PartitionQueue> all = new ArrayList<>();
    private final List<List<PartitionQueue>> byTopic = new ArrayList<>();
    private final List<TopicName> names = new ArrayList<>();
    private final Call.Producer producer;
    private final int[] turns;
    private final int room;

    PartitionQueues(List<LoadPartition> partitions, Call.Producer producer, SequenceNumbers[] sequences, int room) {
        this.producer = producer;
        this.room = room;
        for (LoadPartition partition : partitions) {
            add(partition, sequences[all.size()]);
        }
        this.turns = new int[byTopic.size()];
    }

    void follow(List<LoadPartition> partitions) {
        while (all.size() < partitions.size()) {
            // Records of added partitions carry their identities.
            add(partitions.get(all.size()), new SequenceNumbers(RecordAudience.ANYONE, 0, 0));
        }
    }

    private void add(LoadPartition partition, SequenceNumbers numbering) {
        if (partition.topic() == byTopic.size()) {
            byTopic.add(new ArrayList<>());
            names.add(new TopicName(partition.name(), partition.id()));
        }
        TopicName topic = names.get(partition.topic());
        PartitionQueue queue = new PartitionQueue(all.size(), partition, topic, producer, numbering);
        all.add(queue);
        byTopic.get(partition.topic()).add(queue);
    }

    /** Returns the partitions with space in turn; one with an unreachable leader only as the last choice. */
    @Nullable PartitionQueue next(int topic) {
        List<PartitionQueue> queues = byTopic.get(topic);
        PartitionQueue unreached = null;
        for (int i = 0; i < queues.size(); i++) {
            int turn = (turns[topic] + i) % queues.size();
            PartitionQueue queue = queues.get(turn);
            if (queue.buffers.size() < room) {
                if (queue.leader != null && queue.leader.up()) {
                    turns[topic] = turn + 1;
                    return queue;
                }
                unreached = unreached == null ? queue : unreached;
            }
        }
        return unreached;
    }

    /** Chooses the partition as the Java client does. */
    PartitionQueue of(int topic, byte[] key) {
        List<PartitionQueue> queues = byTopic.get(topic);
        return queues.get(Utils.toPositive(Utils.murmur2(key)) % queues.size());
    }

    int of(int topic) {
        return byTopic.get(topic).size();
    }
}
