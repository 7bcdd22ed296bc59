package weir.cluster.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;

/**
 * A limit of the rate at which each broker replicates some topics. A broker applies its limit only to topics with a
 * setting of their own, so it does not limit other topics.
 */
public final class ReplicationThrottle {
    private static final List<String> SIDES = List.of("leader", "follower");
    private static final String RATE = ".replication.throttled.rate";
    private static final String REPLICAS = ".replication.throttled.replicas";

    /** A broker reports a changed setting a moment after the answer to the change. */
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(10));

    private final Cluster cluster;
    private final AdminAnswers answers;
    private final Journal journal;
    private final Set<Integer> brokers = new TreeSet<>();
    private final Set<String> topics = new TreeSet<>();
    private String rate = "";

    public ReplicationThrottle(Cluster cluster, AdminAnswers answers, Journal journal) {
        this.cluster = cluster;
        this.answers = answers;
        this.journal = journal;
    }

    /** Returns a broker or a topic that has a setting of a throttle, with this setting; empty if there is none. */
    public static Optional<String> existing(AdminAnswers answers) {
        return settings(
                        answers,
                        Stream.concat(
                                        answers.brokers().stream().map(ReplicationThrottle::broker),
                                        answers.topics(true).stream().map(ReplicationThrottle::topic))
                                .toList())
                .entrySet()
                .stream()
                .flatMap(of -> of.getValue().stream()
                        .map(entry -> of.getKey().type().name().toLowerCase(Locale.ROOT) + " "
                                + of.getKey().name() + " has " + entry.name() + ": " + entry.value()))
                .findFirst();
    }

    private static Map<ConfigResource, List<ConfigEntry>> settings(AdminAnswers answers, List<ConfigResource> all) {
        Map<ConfigResource, KafkaFuture<Config>> configs =
                answers.ask(admin -> admin.describeConfigs(all).values());
        Map<ConfigResource, List<ConfigEntry>> settings = new LinkedHashMap<>();
        configs.forEach((resource, future) -> {
            try {
                Config config = answers.of("the properties of " + resource, future);
                settings.put(
                        resource,
                        Stream.of(RATE, REPLICAS)
                                .flatMap(name -> SIDES.stream().map(side -> config.get(side + name)))
                                .filter(ReplicationThrottle::limited)
                                .toList());
            } catch (UnknownTopicOrPartitionException deleted) {
                // The topic was deleted meanwhile.
            }
        });
        return settings;
    }

    private static boolean limited(ConfigEntry entry) {
        return entry != null
                && entry.value() != null
                && !entry.value().isEmpty()
                && !entry.value().equals(Long.toString(Long.MAX_VALUE));
    }

    public void set(long bytesPerSecond, Collection<String> limited) {
        rate = Long.toString(bytesPerSecond);
        topics.addAll(limited);
        brokers.addAll(answers.brokers());
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        brokers.forEach(id -> {
            if (!cluster.startedByWeir()) {
                journal.resource(journaled(id));
            }
            changes.put(broker(id), changes(AlterConfigOp.OpType.SET, RATE, rate));
        });
        topics.forEach(name -> changes.put(topic(name), changes(AlterConfigOp.OpType.SET, REPLICAS, "*")));
        alter(answers, changes);
        brokers.forEach(id -> TIMEOUT.until(
                "the throttle of broker " + id, () -> limits(answers, id, rate).size() == SIDES.size()));
    }

    /**
     * Removes the limit. A broker that has another rate by now keeps it.
     *
     * @throws ClusterUnavailable with the brokers that keep the limit, because they do not answer
     */
    public void remove() {
        List<Integer> left = new ArrayList<>();
        for (int id : brokers) {
            try {
                remove(answers, id, rate);
                journal.resourceGone(journaled(id));
            } catch (KafkaException | ClusterUnavailable silent) {
                left.add(id);
            }
        }
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        topics.forEach(name -> changes.put(topic(name), changes(AlterConfigOp.OpType.DELETE, REPLICAS, "")));
        alter(answers, changes);
        if (!left.isEmpty()) {
            throw new ClusterUnavailable("the brokers " + left + " do not answer and keep a replication throttle of "
                    + rate + " B/s" + (cluster.startedByWeir() ? "" : "; 'weir doctor --clean' removes it"));
        }
    }

    private static void remove(AdminAnswers answers, int id, String rate) {
        List<AlterConfigOp> changes = limits(answers, id, rate).stream()
                .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.DELETE))
                .toList();
        if (!changes.isEmpty()) {
            alter(answers, Map.of(broker(id), changes));
            TIMEOUT.until(
                    "the end of the throttle of broker " + id,
                    () -> limits(answers, id, rate).isEmpty());
        }
    }

    private static List<ConfigEntry> limits(AdminAnswers answers, int id, String rate) {
        return settings(answers, List.of(broker(id))).values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.value().equals(rate))
                .toList();
    }

    private Leftovers.Resource journaled(int id) {
        return new Leftovers.Resource(
                ResourceType.THROTTLE, cluster.bootstrap(), "broker " + id + ": " + rate + " B/s");
    }

    /** Removes the throttle of a broker that a killed run left; {@code journaled} is its name in the journal. */
    static void removeLeft(AdminAnswers answers, String journaled) {
        String[] words = journaled.split("\\D+", -1);
        remove(answers, Integer.parseInt(words[1]), words[2]);
    }

    private static void alter(AdminAnswers answers, Map<ConfigResource, Collection<AlterConfigOp>> changes) {
        answers.once(
                "the throttle", admin -> admin.incrementalAlterConfigs(changes).all());
    }

    private static ConfigResource broker(int id) {
        return new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
    }

    private static ConfigResource topic(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private static List<AlterConfigOp> changes(AlterConfigOp.OpType change, String name, String value) {
        return SIDES.stream()
                .map(side -> new AlterConfigOp(new ConfigEntry(side + name, value), change))
                .toList();
    }
}
