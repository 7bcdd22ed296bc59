package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import weir.wire.Call;
import weir.wire.TopicName;

/** The lanes of one sender, and which of them messages go to. */
final class Lanes {
    private final List<Lane> all = new ArrayList<>();
    private final List<List<Lane>> byTopic = new ArrayList<>();
    private final int[] turns;
    private final int room;

    /** {@code room}: so many batches a lane has room for. */
    Lanes(List<Partition> partitions, Call.Producer producer, Numbering[] numberings, int room) {
        this.room = room;
        TopicName topic = new TopicName("", partitions.get(0).id());
        for (Partition partition : partitions) {
            if (partition.topic() == byTopic.size()) {
                byTopic.add(new ArrayList<>());
                topic = new TopicName(partition.name(), partition.id());
            }
            Lane lane = new Lane(all.size(), partition, topic, producer, numberings[all.size()]);
            all.add(lane);
            byTopic.get(partition.topic()).add(lane);
        }
        this.turns = new int[byTopic.size()];
    }

    List<Lane> all() {
        return all;
    }

    /** Each partition in turn, as far as it has room; one whose leader we do not reach only when no other has any. */
    @Nullable Lane next(int topic) {
        List<Lane> lanes = byTopic.get(topic);
        Lane unreached = null;
        for (int i = 0; i < lanes.size(); i++) {
            int turn = (turns[topic] + i) % lanes.size();
            Lane lane = lanes.get(turn);
            if (lane.size() < room) {
                Line line = lane.line();
                if (line != null && line.up()) {
                    turns[topic] = turn + 1;
                    return lane;
                }
                unreached = unreached == null ? lane : unreached;
            }
        }
        return unreached;
    }

    /** As the Java client does. */
    Lane of(int topic, byte[] key) {
        List<Lane> lanes = byTopic.get(topic);
        return lanes.get(Utils.toPositive(Utils.murmur2(key)) % lanes.size());
    }

    int of(int topic) {
        return byTopic.get(topic).size();
    }
}
