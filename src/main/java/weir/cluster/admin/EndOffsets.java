package weir.cluster.admin;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;

/** The ends of all partitions of a topic, whoever made it. */
public final class EndOffsets implements AutoCloseable {
    private final AdminAnswers answers;
    private final String topic;

    public EndOffsets(Cluster cluster, String topic) {
        this.answers = new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(Duration.ofSeconds(60)));
        this.topic = topic;
    }

    /** Their sum: the records ever written, and with transactions their markers too. */
    public long sum() {
        try {
            // Asked for each time, because partitions may be added.
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            answers.describe(List.of(topic))
                    .forEach((name, found) -> found.partitions()
                            .forEach(partition ->
                                    ends.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest())));
            return answers
                    .to("offsets of " + topic, admin -> admin.listOffsets(ends).all())
                    .values()
                    .stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + topic + "': " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        answers.close();
    }
}
