package weir.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;

/** A Kafka that was there before us. */
public final class ExternalCluster implements Cluster {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final String bootstrap;
    private final SortedMap<String, String> client;
    private final String id;
    private final String version;
    private final List<Broker> brokers;

    private ExternalCluster(
            String bootstrap, SortedMap<String, String> client, String id, String version, List<Broker> brokers) {
        this.bootstrap = bootstrap;
        this.client = client;
        this.id = id;
        this.version = version;
        this.brokers = brokers;
    }

    /** The properties with their secrets resolved. */
    public static ExternalCluster connect(String bootstrap, SortedMap<String, String> properties) {
        SortedMap<String, String> client = new TreeMap<>(properties);
        client.put("bootstrap.servers", bootstrap);
        try (Answers answers = new Answers(client, Patience.of(LIMIT))) {
            List<Broker> brokers = answers
                    .to("the brokers", admin -> admin.describeCluster().nodes())
                    .stream()
                    .map(ExternalCluster::broker)
                    .toList();
            String id = answers.to(
                    "the cluster's id", admin -> admin.describeCluster().clusterId());
            return new ExternalCluster(bootstrap, client, id, version(answers), brokers);
        } catch (KafkaException e) {
            throw new ClusterUnavailable(reason(bootstrap, e), e);
        }
    }

    private static Broker broker(Node node) {
        String rack = node.hasRack() ? node.rack() : "";
        return new Broker(node.id(), node.host() + ":" + node.port(), rack, -1, Path.of(""), Path.of(""));
    }

    private static String version(Answers answers) {
        SupportedVersionRange supported = answers.to(
                        "the cluster's features",
                        admin -> admin.describeFeatures().featureMetadata())
                .supportedFeatures()
                .get("metadata.version");
        return supported == null ? "unknown, older than 3.3" : Version.ofMetadata(supported.maxVersion());
    }

    private static String reason(String bootstrap, KafkaException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String all = e.getMessage() + (cause == e ? "" : ": " + cause.getMessage());
        return "cluster.bootstrap: no Kafka answered at '" + bootstrap + "' within " + LIMIT.toSeconds() + " s (" + all
                + "); check the addresses, and security.protocol and its kin in cluster.client";
    }

    /** The names of all topics there that we may see, Kafka's own too. */
    public Set<String> topics() {
        try (Answers answers = new Answers(client, Patience.of(LIMIT))) {
            return answers.to(
                    "the topics",
                    admin -> admin.listTopics(new ListTopicsOptions().listInternal(true))
                            .names());
        } catch (KafkaException e) {
            throw new ClusterUnavailable(reason(bootstrap, e), e);
        }
    }

    @Override
    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        return new TreeMap<>(client);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public List<Broker> brokers() {
        return brokers;
    }

    @Override
    public void close() {
        // Nothing of it is ours.
    }
}
