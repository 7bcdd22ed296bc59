package weir.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The ends of all partitions of a topic, whoever made it. */
public final class EndOffsets implements AutoCloseable {
    private final Admin admin;
    private final String topic;

    public EndOffsets(Cluster cluster, String topic) {
        this.admin = Answers.ask(cluster.clientProperties());
        this.topic = topic;
    }

    /** Their sum: the records ever written, and with transactions their markers too. */
    public long sum() {
        try {
            // Asked for each time, because partitions may be added.
            TopicDescription found = Answers.of(
                            admin.describeTopics(List.of(topic)).allTopicNames(), "topic " + topic)
                    .get(topic);
            Map<TopicPartition, OffsetSpec> ends = found.partitions().stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
            return Answers.of(admin.listOffsets(ends).all(), "offsets of " + topic).values().stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + topic + "': " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
