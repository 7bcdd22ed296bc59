package weir.real;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import weir.cluster.Cluster;

/** Which broker has a role in a cluster just now. */
record Roles(Cluster cluster) {
    private interface Question<T> {
        T put(Admin admin) throws ExecutionException, InterruptedException;
    }

    /** The leader of the first partition of a topic. */
    int leader(String topic) {
        return ask(admin -> admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .get(0)
                .leader()
                .id());
    }

    /** The only topic there is. */
    String topic() {
        return ask(admin -> admin.listTopics().names().get().iterator().next());
    }

    /** The coordinator of a transactional id. */
    int coordinator(String id) {
        return ask(admin ->
                admin.describeTransactions(List.of(id)).description(id).get().coordinatorId());
    }

    private <T> T ask(Question<T> question) {
        try (Admin admin = Admin.create(Map.copyOf(cluster.clientProperties()))) {
            return question.put(admin);
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
