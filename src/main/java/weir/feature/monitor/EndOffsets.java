package weir.feature.monitor;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;

/** The end offsets of all partitions of a topic, whoever made it. */
public final class EndOffsets implements AutoCloseable {
    private final AdminAnswers answers;
    private final String topic;
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    /** Zero before the first answer, and on brokers that give topics no ids. */
    private Uuid id = Uuid.ZERO_UUID;

    private boolean gone;

    public EndOffsets(Cluster cluster, String topic) {
        this(new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(Duration.ofSeconds(60))), topic);
    }

    EndOffsets(AdminAnswers answers, String topic) {
        this.answers = answers;
        this.topic = topic;
    }

    /**
     * The sum of the ends now: records, markers of transactions and records that were aborted or removed count alike.
     *
     * @throws ClusterUnavailable also when the topic is {@link #gone}
     */
    public long sum() {
        try {
            TopicDescription found =
                    Objects.requireNonNull(answers.describe(List.of(topic)).get(topic));
            boolean another = !found.topicId().equals(id) && !id.equals(Uuid.ZERO_UUID);
            // Asked for each time, because partitions may be added.
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            found.partitions()
                    .forEach(one -> latest.put(new TopicPartition(topic, one.partition()), OffsetSpec.latest()));
            Map<TopicPartition, ListOffsetsResultInfo> told = answers.to(
                    "offsets of " + topic, admin -> admin.listOffsets(latest).all());
            id = found.topicId();
            boolean fewer = told.entrySet().stream()
                    .anyMatch(end -> end.getValue().offset() < ends.getOrDefault(end.getKey(), 0L));
            if (another || (id.equals(Uuid.ZERO_UUID) && (fewer || latest.size() < ends.size()))) {
                gone = true;
                throw new ClusterUnavailable("topic '" + topic + "' was deleted and made again while it was watched");
            }
            // A new leader may briefly report a lower end than its predecessor.
            told.forEach((partition, end) -> ends.merge(partition, end.offset(), Math::max));
            return ends.values().stream().mapToLong(end -> end).sum();
        } catch (UnknownTopicOrPartitionException e) {
            gone = !ends.isEmpty();
            throw new ClusterUnavailable(
                    "topic '" + topic + (gone ? "' was deleted while it was watched" : "': " + e.getMessage()), e);
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + topic + "': " + e.getMessage(), e);
        }
    }

    public int partitions() {
        return ends.size();
    }

    public boolean gone() {
        return gone;
    }

    @Override
    public void close() {
        answers.close();
    }
}
