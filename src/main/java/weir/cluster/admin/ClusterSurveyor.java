package weir.cluster.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.ClusterSurvey.SurveyAnswer;
import weir.plan.property.Property;

/** A read-only survey of a cluster. If the cluster rejects one request, the survey continues. */
public record ClusterSurveyor(Cluster cluster, AdminAnswers answers) {
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(15));
    /** The limit without a fetch. An idle voter fetches twice a second. */
    private static final Duration SILENCE = Duration.ofSeconds(10);
    /** The limit of items in one request, because a cluster may have 100,000 partitions. */
    private static final int AT_ONCE = 500;

    private static final List<String> OF_TOPICS = List.of(
            "min.insync.replicas",
            "unclean.leader.election.enable",
            "flush.messages",
            "flush.ms",
            "max.message.bytes",
            "segment.bytes",
            "cleanup.policy",
            "compression.type");

    public static ClusterSurvey survey(Cluster cluster) {
        return survey(cluster, new AdminAnswers(cluster.clientProperties(), TIMEOUT));
    }

    static ClusterSurvey survey(Cluster cluster, AdminAnswers answers) {
        try (answers) {
            return new ClusterSurveyor(cluster, answers).all();
        } catch (KafkaException e) {
            throw new ClusterUnavailable(
                    "reading the state of the cluster at " + cluster.bootstrap() + ": " + e.getMessage(), e);
        }
    }

    private ClusterSurvey all() {
        DescribedConfigs configs = new DescribedConfigs(answers);
        List<Broker> brokers = cluster.brokers();
        ClusterSurvey survey = new ClusterSurvey(
                cluster.bootstrap(),
                brokers,
                ask(() -> properties(configs, brokers)),
                ask(() -> configs.unknown(brokers)),
                ask(this::topics),
                ask(this::quorum),
                ask(this::metadata),
                ask(this::disks),
                ask(this::quotas));
        if (survey.silent()) {
            throw new ClusterUnavailable("the cluster at " + cluster.bootstrap() + " refuses all requests for its"
                    + " state: "
                    + survey.topics().either(topics -> "", why -> why)
                    + "; use a principal that may describe the cluster, its brokers and its topics");
        }
        return survey;
    }

    private <T> SurveyAnswer<T> ask(Supplier<T> question) {
        try {
            return new SurveyAnswer.Answered<>(question.get());
        } catch (TimeoutException | DisconnectException silence) {
            // Throws if no broker answers at all.
            answers.brokers();
            return new SurveyAnswer.Refused<>(String.valueOf(silence.getMessage()));
        } catch (ApiException refused) {
            return new SurveyAnswer.Refused<>(String.valueOf(refused.getMessage()));
        }
    }

    private SortedMap<Integer, SortedMap<String, Property>> properties(DescribedConfigs configs, List<Broker> brokers) {
        SortedMap<Integer, SortedMap<String, Property>> all = new TreeMap<>();
        for (Broker broker : brokers) {
            SortedMap<String, Property> properties = new TreeMap<>();
            configs.of(broker, cluster).forEach(property -> properties.put(property.name(), property));
            all.put(broker.id(), properties);
        }
        return all;
    }

    private List<ClusterSurvey.Topic> topics() {
        List<String> names = List.copyOf(answers.topics(true));
        List<ClusterSurvey.Topic> topics = new ArrayList<>();
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + AT_ONCE));
            Map<String, TopicDescription> described = described(some);
            Map<String, SortedMap<String, String>> configs = configs(described.keySet());
            described.forEach((name, topic) -> topics.add(new ClusterSurvey.Topic(
                    name,
                    topic.isInternal(),
                    topic.partitions().stream().map(ClusterSurveyor::partition).toList(),
                    configs.getOrDefault(name, new TreeMap<>()))));
        }
        return topics;
    }

    /** Repeats a refused request for each topic alone, because one topic may have been deleted meanwhile. */
    private Map<String, TopicDescription> described(List<String> names) {
        try {
            return answers.describe(names);
        } catch (UnknownTopicOrPartitionException deleted) {
            Map<String, TopicDescription> described = new TreeMap<>();
            for (String name : names) {
                try {
                    described.putAll(answers.describe(List.of(name)));
                } catch (UnknownTopicOrPartitionException gone) {
                    // The topic was deleted meanwhile.
                }
            }
            return described;
        }
    }

    private Map<String, SortedMap<String, String>> configs(Collection<String> topics) {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        Map<ConfigResource, Config> described;
        try {
            described = answers.to(
                    "the properties of the topics",
                    admin -> admin.describeConfigs(resources).all());
        } catch (UnknownTopicOrPartitionException deleted) {
            // The rules report that their properties are unknown.
            return Map.of();
        }
        Map<String, SortedMap<String, String>> configs = new TreeMap<>();
        described.forEach((resource, config) -> {
            SortedMap<String, String> kept = new TreeMap<>();
            for (String name : OF_TOPICS) {
                ConfigEntry entry = config.get(name);
                if (entry != null && entry.value() != null) {
                    kept.put(name, entry.value());
                }
            }
            configs.put(resource.name(), kept);
        });
        return configs;
    }

    private static ClusterSurvey.Partition partition(TopicPartitionInfo partition) {
        return new ClusterSurvey.Partition(
                partition.partition(),
                partition.leader() == null ? -1 : partition.leader().id(),
                partition.replicas().stream().map(Node::id).toList(),
                partition.isr().stream().map(Node::id).toList());
    }

    private ClusterSurvey.Quorum quorum() {
        QuorumInfo quorum =
                answers.to("the quorum", admin -> admin.describeMetadataQuorum().quorumInfo());
        long end = quorum.voters().stream()
                .filter(voter -> voter.replicaId() == quorum.leaderId())
                .mapToLong(QuorumInfo.ReplicaState::logEndOffset)
                .findFirst()
                .orElse(quorum.highWatermark());
        SortedMap<Integer, Long> lags = new TreeMap<>();
        Map<Integer, Long> fetches = new TreeMap<>();
        for (QuorumInfo.ReplicaState voter : quorum.voters()) {
            lags.put(voter.replicaId(), Math.max(0, end - voter.logEndOffset()));
            voter.lastFetchTimestamp().ifPresent(millis -> fetches.put(voter.replicaId(), millis));
        }
        return new ClusterSurvey.Quorum(quorum.leaderId(), lags, silent(quorum.leaderId(), lags.keySet(), fetches));
    }

    /**
     * The voters whose last fetch is {@link #SILENCE} ago by the leader's clock; empty before Kafka 3.3.
     *
     * @param fetches the time of the last fetch in milliseconds, by voter; the leader's value is the current time
     */
    static NavigableSet<Integer> silent(int leader, Set<Integer> voters, Map<Integer, Long> fetches) {
        NavigableSet<Integer> silent = new TreeSet<>();
        Long now = fetches.get(leader);
        if (now != null) {
            voters.stream()
                    .filter(voter -> fetches.getOrDefault(voter, 0L) < now - SILENCE.toMillis())
                    .forEach(silent::add);
        }
        return silent;
    }

    private ClusterSurvey.Level metadata() {
        ClusterSurvey.Level all = new ClusterSurvey.Level(0, 0);
        for (Broker broker : cluster.brokers()) {
            FeatureMetadata features = answers.to(
                    "the features of broker " + broker.id(),
                    admin -> admin.describeFeatures(new DescribeFeaturesOptions().nodeId(broker.id()))
                            .featureMetadata());
            FinalizedVersionRange holds = features.finalizedFeatures().get("metadata.version");
            SupportedVersionRange could = features.supportedFeatures().get("metadata.version");
            if (holds == null || could == null) {
                return new ClusterSurvey.Level(0, 0);
            }
            all = all.with(holds.maxVersionLevel(), could.maxVersion());
        }
        return all;
    }

    private List<ClusterSurvey.Disk> disks() {
        List<Integer> numbers = cluster.brokers().stream().map(Broker::id).toList();
        Map<Integer, Map<String, LogDirDescription>> all = answers.to(
                "the log folders", admin -> admin.describeLogDirs(numbers).allDescriptions());
        List<ClusterSurvey.Disk> disks = new ArrayList<>();
        new TreeMap<>(all)
                .forEach((broker, folders) -> new TreeMap<>(folders)
                        .forEach((folder, disk) -> disks.add(new ClusterSurvey.Disk(
                                broker,
                                folder,
                                disk.error() == null
                                        ? ""
                                        : String.valueOf(disk.error().getMessage()),
                                disk.totalBytes().orElse(-1),
                                disk.usableBytes().orElse(-1)))));
        return disks;
    }

    private List<String> quotas() {
        return answers
                .to(
                        "the quotas",
                        admin -> admin.describeClientQuotas(ClientQuotaFilter.all())
                                .entities())
                .entrySet()
                .stream()
                .map(quota -> quota.getKey().entries().entrySet().stream()
                                .map(entity -> entity.getKey() + " "
                                        + (entity.getValue() == null ? "(all)" : "'" + entity.getValue() + "'"))
                                .collect(Collectors.joining(", "))
                        + ": " + new TreeMap<>(quota.getValue()))
                .sorted()
                .toList();
    }
}
