package weir.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.KafkaException;

/** Topics that killed runs left on a cluster that is not ours. */
public final class StrayTopics implements AutoCloseable {
    private static final Patience PATIENCE = Patience.of(Duration.ofSeconds(15));
    private static final int CALL_MILLIS = 60_000;
    private static final String OURS = "weir-";

    private final Cluster cluster;
    private final Answers answers;

    private StrayTopics(Cluster cluster) {
        this.cluster = cluster;
        this.answers = new Answers(cluster.clientProperties(), PATIENCE);
    }

    public static StrayTopics on(Cluster cluster) {
        return new StrayTopics(cluster);
    }

    /** All topics there that have a name as Weir gives them, whoever made them. */
    public Set<String> named() {
        Set<String> all = answers.to(
                "the topics", admin -> admin.listTopics(new ListTopicsOptions()).names());
        Set<String> names = new TreeSet<>(all);
        names.removeIf(name -> !name.startsWith(OURS));
        return names;
    }

    /** Deletes these; returns when they are gone. */
    public void delete(Collection<String> names) {
        try {
            answers.once(
                    "the end of topics",
                    admin -> admin.deleteTopics(names, new DeleteTopicsOptions().timeoutMs(CALL_MILLIS))
                            .all());
        } catch (KafkaException e) {
            throw new ClusterUnavailable(
                    "topics " + names + " at " + cluster.bootstrap() + " could not be deleted: " + e.getMessage(), e);
        }
        names.forEach(name -> PATIENCE.until("the end of topic '" + name + "'", () -> !answers.know(name)));
    }

    @Override
    public void close() {
        answers.close();
    }
}
