package weir.cluster.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.ResourceType;
import weir.plan.TopicSpec;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

/** The topics of one trial: makes them, asks about them, deletes what it made. */
public final class TrialTopics implements Topics {
    private static final StartTimeouts PATIENCE = StartTimeouts.of(Duration.ofSeconds(60));
    private static final StartTimeouts MEMBERS = StartTimeouts.of(Duration.ofSeconds(5));
    // Making or deleting a thousand topics is one call.
    private static final int CALL_MILLIS = 60_000;
    /** How long a cluster may say nothing at all, before it is asked for what may take it as long as that call. */
    private static final int SILENCE_MILLIS = 15_000;

    private final Cluster cluster;
    private static final int LONGEST_NAME = 249;

    private final UnaryOperator<String> naming;
    private final Journal journal;
    private final AdminAnswers answers;
    private final DescribedConfigs configs;
    private final SortedMap<String, TopicSpec> specs = new TreeMap<>();
    private final Set<String> made = new HashSet<>();

    TrialTopics(Cluster cluster, UnaryOperator<String> naming, Journal journal, AdminAnswers answers) {
        this.cluster = cluster;
        this.naming = naming;
        this.journal = journal;
        this.answers = answers;
        this.configs = new DescribedConfigs(answers);
    }

    /** {@code naming} makes the name on the cluster from the name in the plan, except for existing topics. */
    public static TrialTopics on(Cluster cluster, UnaryOperator<String> naming, Journal journal) {
        return new TrialTopics(cluster, naming, journal, new AdminAnswers(cluster.clientProperties(), PATIENCE));
    }

    @Override
    public void create(Map<String, TopicSpec> asked) {
        try {
            greet();
            createAll(asked);
        } catch (TimeoutException e) {
            throw new ClusterUnavailable(
                    "making topics: the cluster at " + cluster.bootstrap() + " does not answer: " + e.getMessage(), e);
        } catch (AuthorizationException e) {
            throw new ClusterUnavailable(
                    "topics: the cluster at " + cluster.bootstrap() + " refuses: " + e.getMessage(), e);
        }
    }

    private void greet() {
        answers.once(
                "the cluster",
                admin -> admin.describeCluster(new DescribeClusterOptions().timeoutMs(SILENCE_MILLIS))
                        .clusterId());
    }

    private void createAll(Map<String, TopicSpec> asked) {
        specs.putAll(asked);
        List<NewTopic> wanted = new ArrayList<>();
        specs.forEach((topic, spec) -> {
            if (!spec.existing()) {
                names(topic).forEach(name -> wanted.add(TopicValidation.newTopic(name, spec)));
            }
        });
        create(wanted);
        checkExisting();
        TopicPropagation spreading = new TopicPropagation(answers, PATIENCE);
        for (Broker broker : present()) {
            specs.keySet().forEach(topic -> spreading.await(last(topic), broker.id()));
        }
        spreading.awaitLeaders(all());
    }

    private void create(List<NewTopic> wanted) {
        if (!cluster.ours()) {
            // Before they are there: one too many in the journal harms nobody.
            wanted.forEach(topic -> journal.resource(journaled(topic.name())));
        }
        Map<String, KafkaFuture<Void>> futures =
                answers.ask(admin -> admin.createTopics(wanted, new CreateTopicsOptions().timeoutMs(CALL_MILLIS))
                        .values());
        List<String> refused = new ArrayList<>();
        futures.forEach((name, future) -> {
            try {
                answers.of("topic " + name, future);
                made.add(name);
            } catch (TopicExistsException e) {
                refused.add("topic '" + name + "' is there already; write 'existing: true' to use it as it is");
                journal.resourceGone(journaled(name));
            } catch (RetriableException e) {
                // It may have been made all the same: it stays in the journal, and is deleted if it is there.
                made.add(name);
                refused.add("topic '" + name + "': " + e.getMessage());
            } catch (KafkaException e) {
                refused.add("topic '" + name + "': " + e.getMessage());
                journal.resourceGone(journaled(name));
            }
        });
        if (!refused.isEmpty()) {
            throw new ClusterUnavailable(String.join("\n", refused));
        }
    }

    private Leftovers.Resource journaled(String topic) {
        return new Leftovers.Resource(ResourceType.TOPIC, cluster.bootstrap(), topic);
    }

    private void checkExisting() {
        List<String> wrong = new ArrayList<>();
        specs.forEach((topic, spec) -> {
            if (spec.existing()) {
                names(topic)
                        .forEach(name -> wrong.addAll(TopicValidation.differences(answers, name, spec.partitions())));
            }
        });
        if (!wrong.isEmpty()) {
            throw new ClusterUnavailable(String.join("\n", wrong));
        }
    }

    @Override
    public List<String> names(String topic) {
        TopicSpec spec = spec(topic);
        String name = spec.existing() ? topic : naming.apply(topic);
        int length = name.length()
                + (spec.count() == 1 ? 0 : 1 + String.valueOf(spec.count()).length());
        if (length > LONGEST_NAME) {
            throw new ClusterUnavailable("topics." + topic + ": the name on the cluster would be '" + name + "' with "
                    + length + " characters, and Kafka takes " + LONGEST_NAME + "; use a shorter one");
        }
        return spec.count() == 1
                ? List.of(name)
                : IntStream.rangeClosed(1, spec.count())
                        .mapToObj(number -> name + "-" + number)
                        .toList();
    }

    /** The properties of our topics and of the brokers, asked and actual; of many alike topics the first. */
    @Override
    public List<Property> properties(Consumer<String> unknown) {
        List<Property> properties = new ArrayList<>();
        try {
            present().forEach(broker -> properties.addAll(configs.of(broker, cluster)));
        } catch (AuthorizationException e) {
            unknown.accept("the properties of the brokers are unknown: " + e.getMessage()
                    + " DESCRIBE_CONFIGS on the cluster shows them.");
        }
        specs.forEach((topic, spec) -> {
            String name = names(topic).get(0);
            try {
                properties.addAll(configs.of(name, topic, spec.config()));
            } catch (AuthorizationException e) {
                unknown.accept("the properties of topic '" + name + "' are unknown: " + e.getMessage()
                        + " DESCRIBE_CONFIGS on it shows them.");
            }
            properties.add(replication(name, topic, spec));
        });
        return properties;
    }

    private Property replication(String name, String topic, TopicSpec spec) {
        int copies = answers.describe(List.of(name)).values().stream()
                .flatMap(there -> there.partitions().stream())
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        boolean asked = !spec.existing() && spec.replication() > 1;
        return new Property(
                "topic " + topic,
                Property.REPLICATION,
                asked ? Integer.toString(spec.replication()) : "",
                Integer.toString(copies),
                "1",
                asked ? Source.YOURS : spec.existing() ? Source.CLUSTER : Source.DEFAULT);
    }

    @Override
    public List<String> unknownBrokerProperties() {
        return configs.unknown(present());
    }

    @Override
    public TransactionalIds transactionalIds() {
        return new TransactionalIds(answers);
    }

    @Override
    public ConsumerGroups groups() {
        return new ConsumerGroups(cluster, answers, MEMBERS);
    }

    /** The level of a feature that the cluster has agreed on, 0 where it knows none. */
    @Override
    public int feature(String name) {
        var agreed = answers.to("features", admin -> admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(name);
        return agreed == null ? 0 : agreed.maxVersionLevel();
    }

    /** Our partitions with fewer replicas in sync than they should have. */
    @Override
    public List<TopicPartitionLeader> underReplicated() {
        List<TopicPartitionLeader> under = new ArrayList<>();
        answers.describe(all())
                .forEach((name, topic) -> topic.partitions().stream()
                        .filter(partition ->
                                partition.isr().size() < partition.replicas().size())
                        .forEach(partition -> under.add(new TopicPartitionLeader(name, partition.partition()))));
        return under;
    }

    @Override
    public long appended() {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        answers.describe(all())
                .forEach((name, topic) -> topic.partitions()
                        .forEach(partition ->
                                ends.put(new TopicPartition(name, partition.partition()), OffsetSpec.latest())));
        return answers.to("offsets", admin -> admin.listOffsets(ends).all()).values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    @Override
    public List<Integer> leaders() {
        return answers.describe(all()).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(partition ->
                        partition.leader() == null ? 0 : partition.leader().id())
                .toList();
    }

    @Override
    public OutsideView outside(int broker) {
        return new MetadataView(cluster, broker, all());
    }

    /** The brokers of which the cluster knows now: one of those that were there at first may have died since. */
    private List<Broker> present() {
        Set<Integer> alive = answers.brokers();
        return cluster.brokers().stream()
                .filter(broker -> alive.contains(broker.id()))
                .toList();
    }

    /**
     * Deletes what was made here, and returns when it is gone.
     *
     * @throws ClusterUnavailable when it is not; says what is left, and how to delete it by hand
     */
    @Override
    public void delete() {
        if (made.isEmpty()) {
            return;
        }
        try {
            greet();
            deleted(answers.ask(admin -> admin.deleteTopics(made, new DeleteTopicsOptions().timeoutMs(CALL_MILLIS))
                    .topicNameValues()));
            for (String name : List.copyOf(made)) {
                PATIENCE.until("the end of topic '" + name + "'", () -> !answers.know(name));
                journal.resourceGone(journaled(name));
                made.remove(name);
            }
        } catch (KafkaException | ClusterUnavailable e) {
            throw new ClusterUnavailable(left(String.valueOf(e.getMessage())), e);
        }
    }

    private void deleted(Map<String, KafkaFuture<Void>> futures) {
        futures.forEach((name, future) -> {
            try {
                answers.of("the end of topic '" + name + "'", future);
            } catch (UnknownTopicOrPartitionException gone) {
                // It was never made, or somebody else was faster.
            }
        });
    }

    private String left(String why) {
        List<String> names = made.stream().sorted().toList();
        String which = names.size() == 1
                ? "topic " + names.get(0) + " is"
                : names.size() + " topics, " + names.get(0) + " to " + names.get(names.size() - 1) + ", are";
        String told = which + " left on " + cluster.bootstrap() + " (" + why + ")";
        if (cluster.ours()) {
            return told + "; the end of this cluster ends them, too";
        }
        boolean plain = cluster.clientProperties().size() == 1;
        return told + "; once it answers, this deletes what is left: weir doctor --clean --bootstrap-server "
                + cluster.bootstrap() + (plain ? "" : " --command-config FILE");
    }

    private TopicPartition last(String topic) {
        List<String> names = names(topic);
        return new TopicPartition(names.get(names.size() - 1), spec(topic).partitions() - 1);
    }

    private List<String> all() {
        return specs.keySet().stream().flatMap(topic -> names(topic).stream()).toList();
    }

    private TopicSpec spec(String topic) {
        TopicSpec spec = specs.get(topic);
        if (spec == null) {
            throw new IllegalArgumentException("there is no topic '" + topic + "'; there are " + specs.keySet());
        }
        return spec;
    }

    /** Ends the connection; does not delete. */
    @Override
    public void close() {
        answers.close();
    }

    /** Waits until the news of a topic that was made has reached every broker, and every partition has a leader. */
    record TopicPropagation(AdminAnswers answers, StartTimeouts patience) {
        /** How often those are asked who cannot be chosen. */
        private static final int OFTEN = 16;

        /** Until the broker has heard of this partition, the last one of its topic. */
        void await(TopicPartition last, int broker) {
            patience.until("topic '" + last.topic() + "' at broker " + broker, () -> known(last, broker));
        }

        // The one question about a topic that can be put to a chosen broker: one that has heard of the partition
        // answers,
        // or says that it has no replica of it. Brokers before 2.8 are not chosen, and it takes the right to read: then
        // any
        // of them answers, and asked so often for each of them, one that has not heard would hardly ever be missed.
        // With
        // three brokers a trial in which one was asked too early ended at once.
        private boolean known(TopicPartition partition, int broker) {
            DescribeProducersOptions there = new DescribeProducersOptions().brokerId(broker);
            try {
                answers.once(
                        "what broker " + broker + " knows of " + partition,
                        admin -> admin.describeProducers(List.of(partition), there)
                                .all());
                return true;
            } catch (TimeoutException | LeaderNotAvailableException silent) {
                // One that died a moment ago is still counted on for some seconds; then nobody waits for it.
                return !answers.brokers().contains(broker);
            } catch (NotLeaderOrFollowerException elsewhere) {
                return true;
            } catch (UnsupportedVersionException | AuthorizationException unanswerable) {
                return IntStream.range(0, OFTEN).allMatch(time -> answers.know(partition.topic()));
            } catch (UnknownTopicOrPartitionException notYet) {
                return false;
            }
        }

        void awaitLeaders(Collection<String> topics) {
            patience.until(
                    "leaders of all partitions of our topics",
                    () -> answers.describe(topics).values().stream()
                            .flatMap(topic -> topic.partitions().stream())
                            .allMatch(partition -> partition.leader() != null));
        }
    }
}
