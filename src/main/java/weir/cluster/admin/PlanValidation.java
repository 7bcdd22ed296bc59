package weir.cluster.admin;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.plan.TopicSpec;

/** A validation of a plan by the cluster, which creates no topic. */
public final class PlanValidation {
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(15));
    private static final String PREFIX = "weir-check-";

    private PlanValidation() {}

    static NewTopic newTopic(String name, TopicSpec spec) {
        NewTopic topic = spec.brokers().isEmpty()
                ? new NewTopic(name, spec.partitions(), (short) spec.replication())
                : new NewTopic(
                        name,
                        IntStream.range(0, spec.partitions())
                                .boxed()
                                .collect(Collectors.toMap(partition -> partition, spec::replicas)));
        return topic.configs(spec.config());
    }

    /** Returns the fault of each topic that the cluster cannot create or has with other properties, by name. */
    public static SortedMap<String, String> refused(Cluster cluster, Map<String, TopicSpec> topics) {
        SortedMap<String, String> refused = new TreeMap<>();
        List<NewTopic> wanted = topics.entrySet().stream()
                .filter(topic -> !topic.getValue().existing())
                .map(topic -> newTopic(PREFIX + topic.getKey(), topic.getValue()))
                .toList();
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), TIMEOUT)) {
            Map<String, KafkaFuture<Void>> futures =
                    answers.ask(admin -> admin.createTopics(wanted, new CreateTopicsOptions().validateOnly(true))
                            .values());
            futures.forEach((name, future) -> {
                try {
                    answers.of("topic " + name, future);
                } catch (KafkaException e) {
                    refused.put(name.substring(PREFIX.length()), "the cluster refuses it: " + e.getMessage());
                }
            });
            topics.forEach((name, spec) -> {
                if (spec.existing()) {
                    String first = spec.count() == 1 ? name : name + "-1";
                    differences(answers, first, spec.partitions()).forEach(wrong -> refused.put(name, wrong));
                }
            });
        }
        return refused;
    }

    /** Returns why the cluster has no share groups; empty if it has, or if it does not report its features. */
    public static Optional<String> withoutShareGroups(Cluster cluster) {
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), TIMEOUT)) {
            int level = answers.feature("share.version");
            return level > 0
                    ? Optional.empty()
                    : Optional.of("'share' requires the feature share.version at level 1 or higher, found " + level
                            + "; on Kafka 4.2.0 or later run kafka-features.sh --bootstrap-server "
                            + cluster.bootstrap() + " upgrade --feature share.version=1");
        } catch (KafkaException untold) {
            return Optional.empty();
        }
    }

    /** The lowest {@code transaction.max.timeout.ms} of all brokers; empty if they do not report it. */
    public static OptionalLong transactionTimeoutMillis(Cluster cluster) {
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), TIMEOUT)) {
            DescribedConfigs configs = new DescribedConfigs(answers);
            return cluster.brokers().stream()
                    .flatMap(broker -> configs.of(broker, cluster).stream())
                    .filter(property -> property.name().equals("transaction.max.timeout.ms"))
                    .mapToLong(property -> Long.parseLong(property.effective()))
                    .min();
        } catch (KafkaException untold) {
            return OptionalLong.empty();
        }
    }

    static List<String> differences(AdminAnswers answers, String name, int partitions) {
        try {
            return answers.describe(List.of(name)).values().stream()
                    .map(topic -> topic.partitions().size())
                    .filter(found -> found < partitions)
                    .map(found -> "topic '" + name + "' has " + found + " partitions on the cluster, but the file has "
                            + partitions + "; write 'partitions: " + found + "'")
                    .toList();
        } catch (AuthorizationException e) {
            return List.of("the cluster refuses it: " + e.getMessage());
        } catch (UnknownTopicOrPartitionException e) {
            return List.of(
                    "topic '" + name + "' has existing: true but does not exist; remove 'existing' to create it");
        }
    }
}
