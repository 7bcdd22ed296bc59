package weir.cluster.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.host.Leftovers;

/** The topics, groups and throttles that killed runs left on an external cluster. */
public final class LeftoverResources implements Leftovers.Deletion {
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(15));
    private static final StartTimeouts MOMENT = StartTimeouts.of(Duration.ofSeconds(5));
    private static final StartTimeouts SESSION = StartTimeouts.of(Duration.ofSeconds(60));

    private static final int CALL_MILLIS = 60_000;

    private final Cluster cluster;
    private final AdminAnswers answers;
    private final StartTimeouts session;

    private LeftoverResources(Cluster cluster, StartTimeouts timeout, StartTimeouts session) {
        this.cluster = cluster;
        this.session = session;
        this.answers = new AdminAnswers(cluster.clientProperties(), timeout);
    }

    public static LeftoverResources on(Cluster cluster) {
        return new LeftoverResources(cluster, TIMEOUT, SESSION);
    }

    public static List<Leftovers.Resource> cleared(Cluster cluster, List<Leftovers.Resource> resources) {
        List<Leftovers.Resource> here = resources.stream()
                .filter(resource -> resource.bootstrap().equals(cluster.bootstrap()))
                .toList();
        List<Leftovers.Resource> gone = new ArrayList<>();
        if (here.isEmpty()) {
            return gone;
        }
        try (LeftoverResources left = new LeftoverResources(cluster, MOMENT, MOMENT)) {
            for (Leftovers.Resource resource : here) {
                left.delete(resource);
                gone.add(resource);
            }
        } catch (ClusterUnavailable notNow) {
            // The caller reports each resource that is left; weir doctor --clean gives the reason.
        }
        return gone;
    }

    @Override
    public Set<String> topics(Collection<String> names) {
        try {
            Set<String> there = new TreeSet<>(names);
            there.retainAll(answers.topics(false));
            return there;
        } catch (KafkaException e) {
            throw new ClusterUnavailable("no broker listed the topics: " + e.getMessage(), e);
        }
    }

    @Override
    public void delete(Leftovers.Resource resource) {
        String name = resource.name();
        switch (resource.type()) {
            case GROUP -> deleteGroup(name);
            case TOPIC -> deleteTopic(name);
            case THROTTLE -> removeThrottle(name);
        }
    }

    private void deleteTopic(String name) {
        try {
            answers.once(
                    "the end of topic " + name,
                    admin -> admin.deleteTopics(List.of(name), new DeleteTopicsOptions().timeoutMs(CALL_MILLIS))
                            .all());
            TIMEOUT.until("the end of topic '" + name + "'", () -> !answers.know(name));
        } catch (UnknownTopicOrPartitionException byAnother) {
            // The topic was deleted meanwhile.
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + name + "' could not be deleted: " + e.getMessage(), e);
        }
    }

    /** Removes the limit of replication from a broker, unless the broker has another limit by now. */
    private void removeThrottle(String name) {
        try {
            ReplicationThrottle.removeLeft(answers, name);
        } catch (KafkaException e) {
            throw new ClusterUnavailable("the throttle '" + name + "' could not be removed: " + e.getMessage(), e);
        }
    }

    private void deleteGroup(String name) {
        if (!new ConsumerGroups(cluster, answers, session).delete(name)) {
            throw new ClusterUnavailable(
                    "group '" + name + "' could not be deleted: this principal lacks DELETE on it");
        }
    }

    @Override
    public void close() {
        answers.close();
    }
}
