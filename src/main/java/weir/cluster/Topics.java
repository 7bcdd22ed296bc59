package weir.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DeleteTopicsOptions;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import weir.host.Journal;
import weir.plan.Property;
import weir.plan.TopicSpec;

/** The topics of one trial: makes them, asks about them, deletes what it made. */
public final class Topics implements AutoCloseable {
    private static final Patience PATIENCE = Patience.of(Duration.ofSeconds(60));
    // Making or deleting a thousand topics is one call.
    private static final int CALL_MILLIS = 60_000;

    /** How often those are asked who cannot be chosen. */
    private static final int OFTEN = 16;

    private final Cluster cluster;
    private final UnaryOperator<String> naming;
    private final Journal journal;
    private final Answers answers;
    private final Configs configs;
    private final SortedMap<String, TopicSpec> specs = new TreeMap<>();
    private final Set<String> made = new HashSet<>();

    /** Where a partition begins and ends; {@code stable} is the end that read_committed sees. */
    public record Offsets(long start, long end, long stable) {}

    private Topics(Cluster cluster, UnaryOperator<String> naming, Journal journal) {
        this.cluster = cluster;
        this.naming = naming;
        this.journal = journal;
        this.answers = new Answers(cluster.clientProperties(), PATIENCE);
        this.configs = new Configs(answers);
    }

    /** {@code naming} makes the name on the cluster from the name in the plan, except for existing topics. */
    public static Topics on(Cluster cluster, UnaryOperator<String> naming, Journal journal) {
        return new Topics(cluster, naming, journal);
    }

    /** Makes the topics that are not said to exist; returns when every broker knows their leaders. */
    public void create(Map<String, TopicSpec> asked) {
        specs.putAll(asked);
        List<NewTopic> wanted = new ArrayList<>();
        specs.forEach((topic, spec) -> {
            if (!spec.existing()) {
                names(topic)
                        .forEach(name -> wanted.add(new NewTopic(name, spec.partitions(), (short) spec.replication())
                                .configs(spec.config())));
            }
        });
        create(wanted);
        checkExisting();
        for (Broker broker : cluster.brokers()) {
            awaitKnownTo(broker.id());
        }
        awaitLeaders();
    }

    private void create(List<NewTopic> wanted) {
        if (cluster instanceof ExternalCluster) {
            // Before they are there: one too many in the journal harms nobody.
            wanted.forEach(topic -> journal.topic(cluster.bootstrap(), topic.name()));
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
            } catch (KafkaException e) {
                refused.add("topic '" + name + "': " + e.getMessage());
            }
            if (!made.contains(name)) {
                journal.topicGone(cluster.bootstrap(), name);
            }
        });
        if (!refused.isEmpty()) {
            delete();
            throw new ClusterUnavailable(String.join("\n", refused));
        }
    }

    private void checkExisting() {
        List<String> wrong = new ArrayList<>();
        specs.forEach((topic, spec) -> {
            if (spec.existing()) {
                names(topic).forEach(name -> wrong.addAll(differences(name, spec.partitions())));
            }
        });
        if (!wrong.isEmpty()) {
            delete();
            throw new ClusterUnavailable(String.join("\n", wrong));
        }
    }

    private List<String> differences(String name, int partitions) {
        try {
            return answers.describe(List.of(name)).values().stream()
                    .map(topic -> topic.partitions().size())
                    .filter(found -> found < partitions)
                    .map(found -> "topic '" + name + "' has " + found + " partitions, not the " + partitions
                            + " of the plan; write 'partitions: " + found + "'")
                    .toList();
        } catch (UnknownTopicOrPartitionException e) {
            return List.of("topic '" + name + "' is said to exist and does not; leave 'existing' out to have it made");
        }
    }

    /** The names on the cluster of a topic of the plan: as many as its count. */
    public List<String> names(String topic) {
        TopicSpec spec = spec(topic);
        String name = spec.existing() ? topic : naming.apply(topic);
        return spec.count() == 1
                ? List.of(name)
                : IntStream.rangeClosed(1, spec.count())
                        .mapToObj(number -> name + "-" + number)
                        .toList();
    }

    /** All partitions of a topic of the plan. */
    public List<Partition> partitions(String topic) {
        return names(topic).stream()
                .flatMap(name ->
                        IntStream.range(0, spec(topic).partitions()).mapToObj(number -> new Partition(name, number)))
                .toList();
    }

    public Map<Partition, Offsets> offsets(Collection<Partition> partitions) {
        Map<TopicPartition, ListOffsetsResultInfo> start =
                list(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, ListOffsetsResultInfo> stable =
                list(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, ListOffsetsResultInfo> end =
                list(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
        Map<Partition, Offsets> offsets = new LinkedHashMap<>();
        for (Partition partition : partitions) {
            TopicPartition key = new TopicPartition(partition.topic(), partition.number());
            offsets.put(partition, new Offsets(offset(start, key), offset(end, key), offset(stable, key)));
        }
        return offsets;
    }

    private static long offset(Map<TopicPartition, ListOffsetsResultInfo> offsets, TopicPartition key) {
        ListOffsetsResultInfo found = offsets.get(key);
        if (found == null) {
            throw new IllegalStateException("no broker told the offsets of " + key);
        }
        return found.offset();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> list(
            Collection<Partition> partitions, OffsetSpec which, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> asked = partitions.stream()
                .collect(Collectors.toMap(p -> new TopicPartition(p.topic(), p.number()), p -> which));
        return answers.to(
                "offsets",
                admin -> admin.listOffsets(asked, new ListOffsetsOptions(isolation))
                        .all());
    }

    /** What was asked of our topics and of the brokers, and what holds; of many alike topics the first. */
    public List<Property> properties() {
        List<Property> properties = new ArrayList<>();
        cluster.brokers().forEach(broker -> properties.addAll(configs.of(broker, cluster)));
        specs.forEach((topic, spec) -> properties.addAll(configs.of(names(topic).get(0), topic, spec.config())));
        return properties;
    }

    /** Broker properties that the brokers do not know. */
    public List<String> unknownBrokerProperties() {
        return configs.unknown(cluster.brokers());
    }

    /** Transactional ids that begin so and have a transaction open: somebody else works with them. */
    public List<String> idsInUse(String prefix) {
        ListTransactionsOptions open = new ListTransactionsOptions()
                .filterStates(List.of(
                        TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT));
        try {
            return answers
                    .to("transactions", admin -> admin.listTransactions(open).all())
                    .stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (UnsupportedVersionException before30) {
            // Nobody can be asked; a producer that takes the id of another fences it, which is counted.
            return List.of();
        }
    }

    /** Ends the transactions of these ids that are still open: whoever had begun them is fenced. */
    public void endTransactions(String prefix) {
        List<String> open = idsInUse(prefix);
        if (!open.isEmpty()) {
            answers.to(
                    "the end of our transactions",
                    admin -> admin.fenceProducers(open).all());
        }
    }

    /** The level of a feature that the cluster has agreed on, 0 where it knows none. */
    public int feature(String name) {
        var agreed = answers.to("features", admin -> admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(name);
        return agreed == null ? 0 : agreed.maxVersionLevel();
    }

    /** Our partitions with fewer replicas in sync than they should have. */
    public List<Partition> underReplicated() {
        List<Partition> under = new ArrayList<>();
        answers.describe(all())
                .forEach((name, topic) -> topic.partitions().stream()
                        .filter(partition ->
                                partition.isr().size() < partition.replicas().size())
                        .forEach(partition -> under.add(new Partition(name, partition.partition()))));
        return under;
    }

    /** Bytes of our topics on the disks of each broker. */
    public Map<Integer, Long> diskBytes() {
        Set<String> ours = new HashSet<>(all());
        List<Integer> ids = cluster.brokers().stream().map(Broker::id).toList();
        Map<Integer, Long> bytes = new TreeMap<>();
        answers.to("sizes on disk", admin -> admin.describeLogDirs(ids).allDescriptions())
                .forEach((id, folders) -> {
                    long sum = 0;
                    for (var folder : folders.values()) {
                        for (var replica : folder.replicaInfos().entrySet()) {
                            sum += ours.contains(replica.getKey().topic())
                                    ? replica.getValue().size()
                                    : 0;
                        }
                    }
                    bytes.put(id, sum);
                });
        return bytes;
    }

    /** Deletes what was made here, and returns when it is gone. */
    public void delete() {
        answers.once(
                "the end of our topics",
                admin -> admin.deleteTopics(made, new DeleteTopicsOptions().timeoutMs(CALL_MILLIS))
                        .all());
        for (String name : made) {
            PATIENCE.until("the end of topic '" + name + "'", () -> !answers.know(name));
            journal.topicGone(cluster.bootstrap(), name);
        }
        made.clear();
    }

    // The one question about a topic that can be put to a chosen broker: one that has heard of the partition answers,
    // or says that it has no replica of it.
    // Brokers before 2.8 are not chosen, any of them answers: asked so often for each of them, one that has not heard
    // would hardly ever be missed. With three brokers a trial in which one was asked too early ended at once.
    private void awaitKnownTo(int broker) {
        specs.forEach((topic, spec) -> {
            List<String> names = names(topic);
            TopicPartition last = new TopicPartition(names.get(names.size() - 1), spec.partitions() - 1);
            PATIENCE.until("topic '" + last.topic() + "' at broker " + broker, () -> known(last, broker));
        });
    }

    private boolean known(TopicPartition partition, int broker) {
        DescribeProducersOptions there = new DescribeProducersOptions().brokerId(broker);
        try {
            answers.to(
                    "what broker " + broker + " knows of " + partition,
                    admin -> admin.describeProducers(List.of(partition), there).all());
            return true;
        } catch (NotLeaderOrFollowerException elsewhere) {
            return true;
        } catch (UnsupportedVersionException before28) {
            return IntStream.range(0, OFTEN).allMatch(time -> answers.know(partition.topic()));
        } catch (UnknownTopicOrPartitionException notYet) {
            return false;
        }
    }

    private void awaitLeaders() {
        PATIENCE.until(
                "leaders of all partitions of our topics",
                () -> answers.describe(all()).values().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .allMatch(partition -> partition.leader() != null));
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
}
