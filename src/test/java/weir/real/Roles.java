package weir.real;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import weir.cluster.Cluster;

/** The broker that has a role in a cluster at the moment. */
record Roles(Cluster cluster) {
    private interface Question<T> {
        T put(Admin admin) throws ExecutionException, InterruptedException;
    }

    /** Returns the leader of the topic's first partition. */
    int leader(String topic) {
        return partitions(topic).get(0).leader().id();
    }

    /** Returns the only follower of the topic's first partition, which has two replicas. */
    int follower(String topic) {
        return partitions(topic).get(0).replicas().stream().mapToInt(Node::id).sum() - leader(topic);
    }

    private List<TopicPartitionInfo> partitions(String topic) {
        return ask(admin -> admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions());
    }

    /** Returns the only existing topic. */
    String topic() {
        return ask(admin -> admin.listTopics().names().get().iterator().next());
    }

    /** The coordinator of a transactional id, computed as all brokers do: brokers before 3.0 do not report it. */
    int coordinator(String id) {
        List<TopicPartitionInfo> log = partitions("__transaction_state");
        return log.get(Utils.abs(id.hashCode()) % log.size()).leader().id();
    }

    private <T> T ask(Question<T> question) {
        try (Admin admin = Admin.create(Map.copyOf(cluster.clientProperties()))) {
            return question.put(admin);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
