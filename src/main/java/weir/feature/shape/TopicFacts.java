package weir.feature.shape;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;

/** The questions to a cluster about its topics and groups; none of them changes the cluster. */
final class TopicFacts implements AutoCloseable {
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(30));
    private static final int MOST_GROUPS = 500;

    /** The properties of topics that change the work of brokers. */
    private static final Set<String> PROPERTIES = Set.of(
            "cleanup.policy",
            "compression.type",
            "flush.messages",
            "flush.ms",
            "index.interval.bytes",
            "max.message.bytes",
            "message.timestamp.type",
            "min.cleanable.dirty.ratio",
            "min.insync.replicas",
            "retention.bytes",
            "retention.ms",
            "segment.bytes",
            "segment.ms",
            "unclean.leader.election.enable");

    private final AdminAnswers answers;

    TopicFacts(Cluster cluster) {
        answers = new AdminAnswers(cluster.clientProperties(), TIMEOUT);
    }

    /** A topic's partitions, replicas, and properties that differ from Kafka's defaults. */
    record Topic(String name, int partitions, int replication, SortedMap<String, String> config) {
        Topic {
            config = Collections.unmodifiableSortedMap(new TreeMap<>(config));
        }
    }

    /**
     * A group that reads topics.
     *
     * @param members the members that read the topic, by topic
     * @param committed the committed offsets; empty for a share group
     */
    record Group(String name, String protocol, Map<String, Integer> members, Map<TopicPartition, Long> committed) {
        Group {
            members = Map.copyOf(members);
            committed = Map.copyOf(committed);
        }

        boolean reads(String topic) {
            return members.containsKey(topic)
                    || committed.keySet().stream()
                            .anyMatch(partition -> partition.topic().equals(topic));
        }
    }

    /** Returns the names of the visible topics that match, without Kafka's internal topics. */
    Set<String> names(Pattern pattern) {
        try {
            return answers.topics(false).stream()
                    .filter(name -> pattern.matcher(name).matches())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (KafkaException e) {
            throw new ClusterUnavailable("listing the topics: " + e.getMessage(), e);
        }
    }

    /** Returns the topics; a missing right for their properties becomes a remark. */
    SortedMap<String, Topic> topics(Collection<String> names, List<String> remarks) {
        Map<String, TopicDescription> described;
        try {
            described = answers.describe(names);
        } catch (KafkaException e) {
            throw new ClusterUnavailable("describing the topics: " + e.getMessage(), e);
        }
        Map<String, SortedMap<String, String>> configs = new HashMap<>();
        List<ConfigResource> resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        unlessRefused("the properties of topics", "DESCRIBE_CONFIGS on the topics", remarks, () -> {
            answers.to(
                            "the properties of topics",
                            admin -> admin.describeConfigs(resources).all())
                    .forEach((resource, config) -> configs.put(
                            resource.name(),
                            config.entries().stream()
                                    .filter(entry -> PROPERTIES.contains(entry.name())
                                            && entry.source() != ConfigEntry.ConfigSource.DEFAULT_CONFIG
                                            && entry.value() != null)
                                    .collect(Collectors.toMap(
                                            ConfigEntry::name,
                                            ConfigEntry::value,
                                            (one, other) -> one,
                                            TreeMap::new))));
            return true;
        });
        SortedMap<String, Topic> topics = new TreeMap<>();
        described.forEach((name, topic) -> topics.put(
                name,
                new Topic(
                        name,
                        topic.partitions().size(),
                        topic.partitions().stream()
                                .mapToInt(partition -> partition.replicas().size())
                                .max()
                                .orElse(1),
                        configs.getOrDefault(name, new TreeMap<>()))));
        return topics;
    }

    /** Returns the visible groups that read one of these topics. */
    List<Group> groups(Set<String> topics, List<String> remarks) {
        List<Group> groups = new ArrayList<>();
        unlessRefused("consumer groups", "DESCRIBE on the groups", remarks, () -> {
            List<GroupListing> listed = answers
                    .to("the groups", admin -> admin.listGroups().valid())
                    .stream()
                    .limit(MOST_GROUPS)
                    .toList();
            if (listed.size() == MOST_GROUPS) {
                remarks.add("not visible: groups after the first " + MOST_GROUPS);
            }
            for (GroupListing group : listed) {
                GroupType type = group.type().orElse(GroupType.CLASSIC);
                boolean classic = type == GroupType.CLASSIC
                        && (group.isSimpleConsumerGroup() || group.protocol().equals("consumer"));
                if (classic || type == GroupType.CONSUMER || type == GroupType.SHARE) {
                    unlessRefused("group '" + group.groupId() + "'", "DESCRIBE on the group", remarks, () -> {
                        Group found = group(group.groupId(), type);
                        return topics.stream().anyMatch(found::reads) && groups.add(found);
                    });
                }
            }
            return true;
        });
        return groups;
    }

    private Group group(String name, GroupType type) {
        Map<TopicPartition, Long> committed = new HashMap<>();
        if (type != GroupType.SHARE) {
            answers.to(
                            "the offsets of group " + name,
                            admin -> admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata())
                    .forEach((partition, offset) -> {
                        if (offset != null) {
                            committed.put(partition, offset.offset());
                        }
                    });
        }
        return new Group(name, type.toString().toLowerCase(Locale.ROOT), byTopic(assigned(name, type)), committed);
    }

    private Stream<Set<TopicPartition>> assigned(String name, GroupType type) {
        List<String> one = List.of(name);
        return type == GroupType.SHARE
                ? answers
                        .to(
                                "group " + name,
                                admin -> admin.describeShareGroups(one).all())
                        .values()
                        .stream()
                        .flatMap(group -> group.members().stream())
                        .map(member -> member.assignment().topicPartitions())
                : answers
                        .to(
                                "group " + name,
                                admin -> admin.describeConsumerGroups(one).all())
                        .values()
                        .stream()
                        .flatMap(group -> group.members().stream())
                        .map(member -> member.assignment().topicPartitions());
    }

    private static Map<String, Integer> byTopic(Stream<Set<TopicPartition>> assigned) {
        Map<String, Integer> members = new HashMap<>();
        assigned.forEach(partitions -> partitions.stream()
                .map(TopicPartition::topic)
                .distinct()
                .forEach(topic -> members.merge(topic, 1, Integer::sum)));
        return members;
    }

    private static void unlessRefused(String what, String right, List<String> remarks, Supplier<Boolean> question) {
        try {
            var unused = question.get();
        } catch (KafkaException e) {
            remarks.add("not visible: " + what + ", which may need the right " + right + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    @Override
    public void close() {
        answers.close();
    }
}
