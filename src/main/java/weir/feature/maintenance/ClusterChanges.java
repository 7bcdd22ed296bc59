package weir.feature.maintenance;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.TimeoutException;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.cluster.admin.ReplicationThrottle;
import weir.run.disturbance.DisturbedTrial;

/** The changes that operations make to a running cluster, and the states that they wait for. */
final class ClusterChanges implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 1_000_000_000;
    private static final String METADATA = "metadata.version";

    private final DisturbedTrial trial;
    private final Cluster cluster;
    private final AdminAnswers answers;
    private final Map<Integer, Set<TopicPartition>> receiving = new TreeMap<>();
    private final ReplicationThrottle throttle;
    private boolean throttled;
    private Set<TopicPartition> moved = Set.of();
    /** The MiB that each broker received so far, by the time. */
    private final NavigableMap<Long, SortedMap<Integer, Double>> progress = new TreeMap<>();

    ClusterChanges(DisturbedTrial trial) {
        this.trial = trial;
        this.cluster = trial.cluster();
        this.answers = new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(TIMEOUT));
        this.throttle = new ReplicationThrottle(cluster, answers, trial.lab().journal());
    }

    /** All topics or, on a given cluster, those that Weir created. */
    private Map<String, TopicDescription> topics() {
        Collection<String> names = cluster.startedByWeir()
                ? answers.topics(true)
                : OperationCheck.own(trial.variant())
                        .flatMap(topic -> trial.topics().names(topic).stream())
                        .toList();
        return answers.describe(names);
    }

    private static Stream<Map.Entry<TopicPartition, TopicPartitionInfo>> partitions(
            Map<String, TopicDescription> topics) {
        return topics.values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition ->
                                Map.entry(new TopicPartition(topic.name(), partition.partition()), partition)));
    }

    /** Says how many replicas are not in sync; empty if all are. */
    String outOfSync() {
        try {
            long lagging = partitions(topics())
                    .mapToLong(partition -> partition.getValue().replicas().size()
                            - partition.getValue().isr().size())
                    .sum();
            return lagging == 0 ? "" : lagging + " replicas are not in sync";
        } catch (TimeoutException e) {
            return "no broker answers";
        }
    }

    /** Returns the number of partitions that a broker leads. */
    double led(int broker) {
        return partitions(topics())
                .filter(partition -> led(partition.getValue(), broker))
                .count();
    }

    /** Says how many partitions have another leader than their first replica; empty if none has. */
    String otherLeaders() {
        long others = partitions(topics())
                .map(Map.Entry::getValue)
                .filter(partition -> !led(partition, partition.replicas().get(0).id()))
                .count();
        return others == 0 ? "" : others + " partitions are not led by their preferred replica";
    }

    private static boolean led(TopicPartitionInfo partition, int broker) {
        Node leader = partition.leader();
        return leader != null && leader.id() == broker;
    }

    void electPreferred() {
        Set<TopicPartition> all = partitions(topics()).map(Map.Entry::getKey).collect(Collectors.toSet());
        answers.once(
                        "the election of leaders",
                        admin -> admin.electLeaders(ElectionType.PREFERRED, all).partitions())
                .forEach((partition, refused) -> refused.filter(e -> !(e instanceof ElectionNotNeededException))
                        .ifPresent(e -> {
                            throw new IllegalStateException("electing a leader of " + partition, e);
                        }));
    }

    /** Raises each feature to the highest level that the cluster supports; the version of the metadata first. */
    void finalizeFeatures() {
        Map<String, FeatureUpdate> updates = new TreeMap<>();
        var features =
                answers.to("the features", admin -> admin.describeFeatures().featureMetadata());
        features.supportedFeatures().forEach((name, range) -> {
            var now = features.finalizedFeatures().get(name);
            if (now == null || now.maxVersionLevel() < range.maxVersion()) {
                updates.put(name, new FeatureUpdate(range.maxVersion(), FeatureUpdate.UpgradeType.UPGRADE));
            }
        });
        updates.remove("kraft.version");
        FeatureUpdate metadata = updates.remove(METADATA);
        Stream.of(metadata == null ? Map.<String, FeatureUpdate>of() : Map.of(METADATA, metadata), updates)
                .filter(part -> !part.isEmpty())
                .forEach(part -> answers.once(
                        "the levels of " + part.keySet(),
                        admin -> admin.updateFeatures(part, new UpdateFeaturesOptions())
                                .all()));
    }

    /** Moves the partitions of topics to brokers. */
    void reassign(Collection<String> names, List<Integer> brokers, long bytesPerSecond) {
        ReplicaMoves replicas = replicas(answers.describe(names));
        move(replicas.now(), replicas.onto(brokers), bytesPerSecond);
    }

    /** Moves all replicas away from a broker. */
    void drain(int broker, long bytesPerSecond) {
        ReplicaMoves replicas = replicas(topics());
        move(replicas.now(), replicas.awayFrom(broker, answers.brokers()), bytesPerSecond);
    }

    /** Gives all brokers the same number of replicas. */
    void spread(long bytesPerSecond) {
        ReplicaMoves replicas = replicas(topics());
        move(replicas.now(), replicas.evenly(answers.brokers()), bytesPerSecond);
    }

    private static ReplicaMoves replicas(Map<String, TopicDescription> topics) {
        Map<TopicPartition, List<Integer>> replicas = new LinkedHashMap<>();
        partitions(topics)
                .forEach(partition -> replicas.put(
                        partition.getKey(),
                        partition.getValue().replicas().stream().map(Node::id).toList()));
        return new ReplicaMoves(replicas);
    }

    private void move(
            Map<TopicPartition, List<Integer>> before, Map<TopicPartition, List<Integer>> lists, long bytesPerSecond) {
        moved = lists.keySet();
        if (bytesPerSecond > 0) {
            if (!cluster.startedByWeir()) {
                ReplicationThrottle.existing(answers).ifPresent(set -> {
                    throw new IllegalStateException(set + ", so the throttle of somebody else is in force");
                });
            }
            throttled = true;
            throttle.set(
                    bytesPerSecond,
                    lists.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        }
        Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new LinkedHashMap<>();
        lists.forEach((partition, list) -> {
            moves.put(partition, Optional.of(new NewPartitionReassignment(list)));
            list.stream()
                    .filter(broker -> !before.getOrDefault(partition, List.of()).contains(broker))
                    .forEach(broker -> receiving
                            .computeIfAbsent(broker, none -> new HashSet<>())
                            .add(partition));
        });
        progress.put(trial.lab().nanos(), new TreeMap<>());
        answers.once(
                "moving " + moves.size() + " partitions",
                admin -> admin.alterPartitionReassignments(moves).all());
    }

    /** Says how many partitions still move; empty if none does. Also notes the progress of the move each second. */
    String moving() {
        int moving = answers.to(
                        "the reassignments",
                        admin -> admin.listPartitionReassignments(moved).reassignments())
                .size();
        long now = trial.lab().nanos();
        if (moving > 0 && now - progress.lastKey() >= LOOK_NANOS) {
            progress.put(now, movedMib());
        }
        return moving == 0 ? "" : moving + " partitions still move";
    }

    /**
     * Returns the MiB/s that a broker received between the first tenth and the last tenth of the move; NaN if the move
     * was too short.
     */
    double movedRate(int broker) {
        double whole = movedMib().getOrDefault(broker, 0.0);
        List<Map.Entry<Long, Double>> between = progress.entrySet().stream()
                .map(look -> Map.entry(look.getKey(), look.getValue().getOrDefault(broker, 0.0)))
                .filter(look -> look.getValue() >= 0.1 * whole && look.getValue() <= 0.9 * whole)
                .toList();
        if (between.size() < 2) {
            return Double.NaN;
        }
        Map.Entry<Long, Double> first = between.get(0);
        Map.Entry<Long, Double> last = between.get(between.size() - 1);
        return (last.getValue() - first.getValue()) * 1e9 / (last.getKey() - first.getKey());
    }

    /** Returns, for each broker that received replicas, their size in MiB. */
    SortedMap<Integer, Double> movedMib() {
        Map<Integer, Map<String, LogDirDescription>> folders = answers.to(
                "the sizes of replicas",
                admin -> admin.describeLogDirs(receiving.keySet()).allDescriptions());
        SortedMap<Integer, Double> sizes = new TreeMap<>();
        folders.forEach((broker, of) -> of.values().stream()
                .flatMap(folder -> folder.replicaInfos().entrySet().stream())
                .filter(replica -> receiving.getOrDefault(broker, Set.of()).contains(replica.getKey()))
                .forEach(replica -> sizes.merge(broker, replica.getValue().size() / 0x1p20, Double::sum)));
        return sizes;
    }

    /** Removes the throttle. A cluster that has ended or does not answer keeps it. */
    @Override
    public void close() {
        try (answers) {
            if (throttled && !cluster.gone()) {
                throttle.remove();
            }
        } catch (KafkaException e) {
            throw new IllegalStateException("removing the throttle: " + e.getMessage(), e);
        }
    }
}
