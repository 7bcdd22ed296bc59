package weir.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataResponseData;

/** A broker's knowledge of the cluster and of the requested topics. */
public record Metadata(Map<Integer, Endpoint> brokers, List<Topic> topics) {
    public static final int NO_LEADER = -1;

    public Metadata {
        brokers = Map.copyOf(brokers);
        topics = List.copyOf(topics);
    }

    /** A topic, or the reason for its absence; {@code partitions} are by index, from 0 without a gap. */
    public record Topic(String name, Uuid id, BrokerError fault, List<Partition> partitions) {
        public Topic {
            partitions = List.copyOf(partitions);
        }
    }

    /**
     * A partition, its leader, and its brokers.
     *
     * @param leader {@link #NO_LEADER} without a leader
     */
    public record Partition(int leader, int leaderEpoch, List<Integer> replicas, List<Integer> inSync) {
        public Partition {
            replicas = List.copyOf(replicas);
            inSync = List.copyOf(inSync);
        }
    }

    static Metadata of(MetadataResponseData answer) {
        Map<Integer, Endpoint> brokers = new TreeMap<>();
        answer.brokers().forEach(broker -> brokers.put(broker.nodeId(), new Endpoint(broker.host(), broker.port())));
        List<Topic> topics = new ArrayList<>();
        for (MetadataResponseData.MetadataResponseTopic topic : answer.topics()) {
            List<Partition> partitions = topic.partitions().stream()
                    .sorted(Comparator.comparingInt(MetadataResponseData.MetadataResponsePartition::partitionIndex))
                    .map(partition -> new Partition(
                            brokers.containsKey(partition.leaderId()) ? partition.leaderId() : NO_LEADER,
                            partition.leaderEpoch(),
                            partition.replicaNodes(),
                            partition.isrNodes()))
                    .toList();
            topics.add(new Topic(topic.name(), topic.topicId(), BrokerError.of(topic.errorCode()), partitions));
        }
        return new Metadata(brokers, topics);
    }
}
