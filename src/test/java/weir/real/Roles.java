package weir.real;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.utils.Utils;
import weir.cluster.Cluster;

/** Which broker has a role in a cluster just now. */
record Roles(Cluster cluster) {
    private interface Question<T> {
        T put(Admin admin) throws ExecutionException, InterruptedException;
    }

    /** The leader of the first partition of a topic. */
    int leader(String topic) {
        return partitions(topic).get(0).leader().id();
    }

    /** The only follower of the first partition of a topic with two replicas. */
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

    /** The only topic there is. */
    String topic() {
        return ask(admin -> admin.listTopics().names().get().iterator().next());
    }

    /** The coordinator of a transactional id: brokers before 3.0 cannot be asked, but all of them choose it so. */
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
