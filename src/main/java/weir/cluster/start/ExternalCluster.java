package weir.cluster.start;

import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.cluster.Broker;
import weir.cluster.ClientJars;
import weir.cluster.ClientReferences;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.cluster.admin.ClusterContact;
import weir.cluster.release.KafkaVersion;
import weir.plan.ClusterSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.Properties;
import weir.plan.property.TokenSources;

/** A Kafka cluster that Weir did not start. */
public record ExternalCluster(
        String bootstrap, SortedMap<String, String> clientProperties, String id, String version, List<Broker> brokers)
        implements Cluster {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final Duration CONTACT = Duration.ofSeconds(12);

    public ExternalCluster {
        brokers = List.copyOf(brokers);
    }

    /** Connects to the cluster of a plan; exceptions do not contain its secrets. */
    public static ExternalCluster connect(ClusterSpec given) {
        if (given.startedByWeir()) {
            throw new IllegalArgumentException("a cluster to start, not to connect to: " + given);
        }
        ClientJars.use(given.classpath());
        ClientReferences client = ClientReferences.of(given.client());
        ClientJars.check("cluster.client", client.properties());
        try {
            return connect(given.bootstrap(), client.properties());
        } catch (ClusterUnavailable e) {
            throw new ClusterUnavailable(client.secrets().text(String.valueOf(e.getMessage())));
        }
    }

    public static ExternalCluster connect(String bootstrap, SortedMap<String, String> properties) {
        SortedMap<String, String> client = new TreeMap<>(properties);
        client.put("bootstrap.servers", bootstrap);
        TokenSources.allow(client);
        try (AdminAnswers answers = contact(bootstrap, client)) {
            List<Broker> brokers = answers
                    .to("the brokers", admin -> admin.describeCluster().nodes())
                    .stream()
                    .map(ExternalCluster::broker)
                    .toList();
            String id = answers.to(
                    "the cluster's id", admin -> admin.describeCluster().clusterId());
            return new ExternalCluster(bootstrap, client, id, version(answers), brokers);
        } catch (KafkaException e) {
            throw unavailable(bootstrap, e);
        }
    }

    private static AdminAnswers contact(String bootstrap, SortedMap<String, String> client) {
        try {
            ClusterContact.await(bootstrap, client, CONTACT);
            return new AdminAnswers(client, StartTimeouts.of(LIMIT));
        } catch (KafkaException e) {
            String why = "cluster.client: a Kafka client does not accept these properties: " + reasons(e);
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
                    throw new Problems(List.of(Problem.of(bootstrap, why + ": the file does not exist")));
                }
            }
            throw new ClusterUnavailable(why, e);
        }
    }

    private static String reasons(Throwable e) {
        String above = "";
        String deepest = "";
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = untraced(String.valueOf(cause.getMessage()));
            if (!message.equals("null")) {
                above = deepest.endsWith(message) ? above : deepest;
                deepest = message;
            }
        }
        return above.isEmpty() ? deepest : above + ": " + deepest;
    }

    private static String untraced(String message) {
        return message.contains("\n\tat ")
                ? message.lines()
                        .filter(line -> !line.startsWith("\t"))
                        .reduce("", (before, line) -> line)
                        .replaceFirst("^(Caused by: )?[\\w.$]+: ", "")
                : message;
    }

    private static Broker broker(Node node) {
        String rack = node.hasRack() ? node.rack() : "";
        return new Broker(node.id(), node.host() + ":" + node.port(), rack, "", -1, Path.of(""), Path.of(""));
    }

    private static String version(AdminAnswers answers) {
        SupportedVersionRange supported = answers.to(
                        "the cluster's features",
                        admin -> admin.describeFeatures().featureMetadata())
                .supportedFeatures()
                .get("metadata.version");
        return supported == null ? "unknown, older than 3.3" : KafkaVersion.ofMetadata(supported.maxVersion());
    }

    private static ClusterUnavailable unavailable(String bootstrap, KafkaException e) {
        String cause = untraced(ClusterUnavailable.deepest(e));
        return new ClusterUnavailable(bootstrap + " answered and then failed: " + cause, e);
    }

    public Set<String> topics() {
        try (AdminAnswers answers = new AdminAnswers(clientProperties, StartTimeouts.of(LIMIT))) {
            return answers.topics(true);
        } catch (KafkaException e) {
            throw unavailable(bootstrap, e);
        }
    }

    /** Creates a topic. If a number is empty, the cluster uses its default. */
    public void makeTopic(
            String name, OptionalInt partitions, OptionalInt replication, SortedMap<String, String> config) {
        Optional<Integer> spread = partitions.isPresent() ? Optional.of(partitions.getAsInt()) : Optional.empty();
        Optional<Short> replicas =
                replication.isPresent() ? Optional.of((short) replication.getAsInt()) : Optional.empty();
        NewTopic topic = new NewTopic(name, spread, replicas).configs(config);
        try (AdminAnswers answers = new AdminAnswers(clientProperties, StartTimeouts.of(LIMIT))) {
            answers.once(
                    "topic " + name, admin -> admin.createTopics(List.of(topic)).all());
        } catch (TopicExistsException there) {
            throw new ClusterUnavailable("topic '" + name + "' already exists at " + bootstrap, there);
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + name + "' at " + bootstrap + ": " + e.getMessage(), e);
        }
    }

    /** Requests a topic as a producer does, which may create it. True if the topic exists afterwards. */
    public boolean topicByUse(String topic) {
        Map<String, Object> properties = new TreeMap<>(clientProperties);
        properties
                .keySet()
                .removeIf(name -> Properties.known().containsKey(name)
                        && !ProducerConfig.configNames().contains(name));
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, LIMIT.toMillis());
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        properties.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            return !producer.partitionsFor(topic).isEmpty();
        } catch (TimeoutException notMade) {
            return false;
        } catch (KafkaException e) {
            throw new ClusterUnavailable("topic '" + topic + "': " + e.getMessage(), e);
        }
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        return new TreeMap<>(clientProperties);
    }

    @Override
    public boolean startedByWeir() {
        return false;
    }

    // The generated text would contain secrets.
    @Override
    public String toString() {
        return "the cluster at " + bootstrap;
    }

    @Override
    public void close() {
        // Weir owns no part of this cluster.
    }
}
