package weir.cluster.admin;

import java.io.IOException;
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
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.Topics.BrokerObserver;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.cluster.admin.Topics.TransactionalIds;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.plan.TopicSpec;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.Metadata;

/** The topics of one trial, created, described and deleted through an admin client. */
public final class TrialTopics implements Topics {
    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(60));
    private static final StartTimeouts MEMBERS = StartTimeouts.of(Duration.ofSeconds(5));
    // One call may create or delete a thousand topics.
    private static final int CALL_MILLIS = 60_000;
    /** The limit of the first request, shorter than for later calls, to detect a silent cluster early. */
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

    /** Maps names of the plan to names on the cluster by {@code naming}, except for existing topics. */
    public static TrialTopics on(Cluster cluster, UnaryOperator<String> naming, Journal journal) {
        return new TrialTopics(cluster, naming, journal, new AdminAnswers(cluster.clientProperties(), TIMEOUT));
    }

    @Override
    public void create(Map<String, TopicSpec> asked) {
        try {
            connect();
            createAll(asked);
        } catch (TimeoutException e) {
            throw new ClusterUnavailable(
                    "creating topics: the cluster at " + cluster.bootstrap() + " does not answer: " + e.getMessage(),
                    e);
        } catch (AuthorizationException e) {
            throw new ClusterUnavailable(
                    "topics: the cluster at " + cluster.bootstrap() + " refuses: " + e.getMessage(), e);
        }
    }

    private void connect() {
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
                names(topic).forEach(name -> wanted.add(PlanValidation.newTopic(name, spec)));
            }
        });
        create(wanted);
        checkExisting();
        TopicPropagation spreading = new TopicPropagation(answers, TIMEOUT);
        for (Broker broker : present()) {
            specs.keySet().forEach(topic -> spreading.await(last(topic), broker.id()));
        }
        spreading.awaitLeaders(all());
    }

    private void create(List<NewTopic> wanted) {
        if (!cluster.startedByWeir()) {
            // The journal records a topic before its creation, because an extra entry does no harm.
            wanted.forEach(topic -> journal.resource(journaled(topic.name())));
        }
        List<NewTopic> missing = new ArrayList<>(wanted);
        // With ZooKeeper, a deleted topic blocks its name for a moment, although no broker knows the topic.
        TIMEOUT.until("the end of deleted topics", () -> {
            createOnce(missing);
            missing.removeIf(topic -> made.contains(topic.name()));
            return missing.isEmpty();
        });
    }

    private void createOnce(List<NewTopic> wanted) {
        Map<String, KafkaFuture<Void>> futures =
                answers.ask(admin -> admin.createTopics(wanted, new CreateTopicsOptions().timeoutMs(CALL_MILLIS))
                        .values());
        List<String> refused = new ArrayList<>();
        futures.forEach((name, future) -> {
            try {
                answers.of("topic " + name, future);
                made.add(name);
            } catch (TopicExistsException e) {
                if (answers.know(name)) {
                    refused.add(
                            "topic '" + name + "' already exists; write 'existing: true' to use the topic unchanged");
                    journal.resourceGone(journaled(name));
                }
            } catch (RetriableException e) {
                // The topic may exist despite the error, so it stays in the journal.
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
                        .forEach(name -> wrong.addAll(PlanValidation.differences(answers, name, spec.partitions())));
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
                    + length + " characters; Kafka allows at most " + LONGEST_NAME + "; use a shorter name");
        }
        return spec.count() == 1
                ? List.of(name)
                : IntStream.rangeClosed(1, spec.count())
                        .mapToObj(number -> name + "-" + number)
                        .toList();
    }

    @Override
    public List<Property> properties(Consumer<String> unknown) {
        List<Property> properties = new ArrayList<>();
        try {
            present().forEach(broker -> properties.addAll(configs.of(broker, cluster)));
        } catch (AuthorizationException e) {
            unknown.accept("the properties of the brokers are unknown: " + e.getMessage()
                    + " The right DESCRIBE_CONFIGS on the cluster shows them.");
        }
        specs.forEach((topic, spec) -> {
            String name = names(topic).get(0);
            try {
                properties.addAll(configs.of(name, topic, spec.config()));
            } catch (AuthorizationException e) {
                unknown.accept("the properties of topic '" + name + "' are unknown: " + e.getMessage()
                        + " The right DESCRIBE_CONFIGS on the topic shows them.");
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

    @Override
    public int feature(String name) {
        return answers.feature(name);
    }

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
    public int activeController() {
        return answers.to(
                        "the active controller",
                        admin -> admin.describeMetadataQuorum().quorumInfo())
                .leaderId();
    }

    @Override
    public BrokerObserver outside(int broker) {
        return new MetadataView(cluster, broker, all());
    }

    private List<Broker> present() {
        Set<Integer> alive = answers.brokers();
        return cluster.brokers().stream()
                .filter(broker -> alive.contains(broker.id()))
                .toList();
    }

    /**
     * Deletes the topics that this object created, and waits until they are gone.
     *
     * @throws ClusterUnavailable with the remaining topics and how to delete them by hand
     */
    @Override
    public void delete() {
        if (made.isEmpty()) {
            return;
        }
        try {
            connect();
            deleted(answers.ask(admin -> admin.deleteTopics(made, new DeleteTopicsOptions().timeoutMs(CALL_MILLIS))
                    .topicNameValues()));
            for (String name : List.copyOf(made)) {
                TIMEOUT.until("the end of topic '" + name + "'", () -> !answers.know(name));
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
                // The topic never existed, or another client deleted it.
            }
        });
    }

    private String left(String why) {
        List<String> names = made.stream().sorted().toList();
        String which = names.size() == 1
                ? "topic " + names.get(0) + " is"
                : names.size() + " topics, " + names.get(0) + " to " + names.get(names.size() - 1) + ", are";
        String text = which + " left on " + cluster.bootstrap() + " (" + why + ")";
        if (cluster.startedByWeir()) {
            return text + "; Weir deletes the topics with this cluster";
        }
        boolean plain = cluster.clientProperties().size() == 1;
        return text + "; when it answers again, delete them with: weir doctor --clean --bootstrap-server "
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
            throw new IllegalArgumentException(
                    "topic '" + topic + "' does not exist; the topics are " + specs.keySet());
        }
        return spec;
    }

    /** Closes the connection without deleting topics. */
    @Override
    public void close() {
        answers.close();
    }

    /** A wait until every broker knows a new topic and every partition has a leader. */
    record TopicPropagation(AdminAnswers answers, StartTimeouts timeout) {
        /** The number of requests for each broker, because the client cannot choose the broker that answers. */
        private static final int OFTEN = 16;

        void await(TopicPartition last, int broker) {
            timeout.until("topic '" + last.topic() + "' at broker " + broker, () -> known(last, broker));
        }

        // Only this request about a topic can go to a chosen broker. The request needs Kafka 2.8 and the right to read.
        // Without them, any broker answers, so Weir sends several requests for each broker. Before Weir waited,
        // a trial on three brokers ended at once.
        private boolean known(TopicPartition partition, int broker) {
            DescribeProducersOptions there = new DescribeProducersOptions().brokerId(broker);
            try {
                answers.once(
                        "the view of broker " + broker + " on " + partition,
                        admin -> admin.describeProducers(List.of(partition), there)
                                .all());
                return true;
            } catch (TimeoutException | LeaderNotAvailableException silent) {
                // The cluster lists a dead broker for some seconds. Then the wait for that broker ends.
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
            timeout.until(
                    "leaders of all partitions of our topics",
                    () -> answers.describe(topics).values().stream()
                            .flatMap(topic -> topic.partitions().stream())
                            .allMatch(partition -> partition.leader() != null));
        }
    }

    /** A view of a broker through other brokers. Kafka's client might wait for the observed, paused broker. */
    static final class MetadataView implements BrokerObserver {
        private static final Duration LIMIT = Duration.ofSeconds(1);

        private final int broker;
        private final List<String> topics;
        private final @Nullable BootstrapBroker others;

        MetadataView(Cluster cluster, int broker, Collection<String> topics) {
            this.broker = broker;
            this.topics = List.copyOf(topics);
            List<Endpoint> addresses = cluster.brokers().stream()
                    .filter(other -> other.id() != broker)
                    .map(Broker::address)
                    .flatMap(address -> Endpoint.list(address).stream())
                    .toList();
            this.others = addresses.isEmpty()
                    ? null
                    : new BootstrapBroker(
                            addresses,
                            BrokerAccess.of(cluster.clientProperties()),
                            Connection.Options.named("weir"),
                            LIMIT);
        }

        @Override
        public ReplicaCounts standing() {
            if (others == null) {
                throw new ClusterUnavailable("no other broker can report on broker " + broker);
            }
            try {
                return standing(others.ask((call, limit) -> call.metadata(topics, limit)));
            } catch (IOException e) {
                throw new ClusterUnavailable("asking other brokers about broker " + broker + ": " + e.getMessage(), e);
            }
        }

        private ReplicaCounts standing(Metadata metadata) {
            int leads = 0;
            int lags = 0;
            for (Metadata.Topic topic : metadata.topics()) {
                for (Metadata.Partition partition : topic.partitions()) {
                    leads += partition.leader() == broker ? 1 : 0;
                    lags += partition.replicas().contains(broker)
                                    && !partition.inSync().contains(broker)
                            ? 1
                            : 0;
                }
            }
            return new ReplicaCounts(leads, lags);
        }

        @Override
        public void close() {
            if (others != null) {
                others.close();
            }
        }
    }
}
