package weir.cluster.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * A lookup of the coordinator of a group or a transactional id. Kafka's admin client would repeat the lookup hundreds
 * of times a second, and its error would not contain the reason.
 */
public record Coordinators(Cluster cluster) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MAKING = Duration.ofSeconds(3);

    private static final int ANSWER_MILLIS = 3_000;
    private static final long PAUSE_NANOS = 250_000_000;
    private static final String UNUSED = "weir-check";

    public enum Kind {
        GROUP("consumer groups", "__consumer_offsets", "offsets.topic.replication.factor"),
        TRANSACTION("transactions", "__transaction_state", "transaction.state.log.replication.factor");

        private final String word;
        private final String topic;
        private final String property;

        Kind(String word, String topic, String property) {
            this.word = word;
            this.topic = topic;
            this.property = property;
        }
    }

    public static SortedMap<Kind, String> needed(LoadSpec load) {
        SortedMap<Kind, String> needed = new TreeMap<>();
        GroupSpec group = load.consumers().group();
        if (group.named()) {
            needed.put(Kind.GROUP, group.existing() ? group.name() : UNUSED);
        } else if (load.workload() == LoadSpec.Workload.STREAM) {
            needed.put(Kind.GROUP, UNUSED);
        }
        if (!load.transaction().none()) {
            needed.put(Kind.TRANSACTION, load.producers().properties().getOrDefault("transactional.id", UNUSED));
        }
        return needed;
    }

    /**
     * Returns why no coordinator was found in ten seconds; empty if one was found or the client may not ask.
     *
     * @param key the group or the transactional id
     */
    public static String missing(Cluster cluster, Kind kind, String key) {
        return new Coordinators(cluster).missing(kind, key, TIMEOUT);
    }

    String missing(Kind kind, String key, Duration timeout) {
        List<Node> brokers = cluster.brokers().stream().map(Coordinators::node).toList();
        try (Metrics metrics = new Metrics();
                NetworkClient network = ClusterContact.network(cluster.clientProperties(), metrics, brokers)) {
            TimeLimit limit = MachineClock.within(timeout.compareTo(TIMEOUT) < 0 ? timeout : TIMEOUT);
            TimeLimit making = MachineClock.within(MAKING);
            boolean reported = false;
            boolean unavailable = false;
            for (int number = 0; number == 0 || !limit.passed(); number++) {
                try {
                    Errors error = ask(network, brokers.get(number % brokers.size()), kind, key);
                    unavailable = error == Errors.COORDINATOR_NOT_AVAILABLE;
                    if (!unavailable && error != Errors.COORDINATOR_LOAD_IN_PROGRESS) {
                        return "";
                    }
                } catch (IOException away) {
                    // Try the next broker.
                    unavailable = false;
                }
                if (unavailable && !reported && making.passed()) {
                    reported = true;
                    int replicas = replicas(kind);
                    if (replicas > brokers.size()) {
                        return reason(kind, replicas);
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return unavailable ? reason(kind, 0) : "";
        }
    }

    private static Node node(Broker broker) {
        return new Node(
                broker.id(),
                String.valueOf(Utils.getHost(broker.address())),
                Optional.ofNullable(Utils.getPort(broker.address())).orElse(0));
    }

    private static Errors ask(NetworkClient network, Node broker, Kind kind, String key) throws IOException {
        Time time = Time.SYSTEM;
        if (!NetworkClientUtils.awaitReady(network, broker, time, ANSWER_MILLIS)) {
            throw new IOException("no connection to " + broker);
        }
        FindCoordinatorRequestData data = new FindCoordinatorRequestData()
                .setKeyType(CoordinatorType.valueOf(kind.name()).id())
                .setCoordinatorKeys(List.of(key));
        FindCoordinatorResponse response = (FindCoordinatorResponse) NetworkClientUtils.sendAndReceive(
                        network,
                        network.newClientRequest(
                                broker.idString(), new FindCoordinatorRequest.Builder(data), time.milliseconds(), true),
                        time)
                .responseBody();
        return response.coordinatorByKey(key)
                .map(found -> Errors.forCode(found.errorCode()))
                .orElse(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    private String reason(Kind kind, int replicas) {
        int brokers = cluster.brokers().size();
        String count = brokers + (brokers == 1 ? " broker" : " brokers");
        return "the cluster at " + cluster.bootstrap() + " has no coordinator of " + kind.word + ": "
                + (replicas > 0
                        ? "with " + kind.property + "=" + replicas + " its " + count + " cannot create topic "
                                + kind.topic + "; set it to " + brokers + " on the brokers, or start more brokers"
                        : "no broker leads a partition of topic " + kind.topic + ", or its " + count
                                + " cannot create it; check " + kind.property);
    }

    private int replicas(Kind kind) {
        ConfigResource broker = new ConfigResource(
                ConfigResource.Type.BROKER,
                Integer.toString(cluster.brokers().get(0).id()));
        try (AdminAnswers answers =
                new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(Duration.ofMillis(ANSWER_MILLIS)))) {
            return answers
                    .once(
                            "the properties of a broker",
                            admin -> admin.describeConfigs(List.of(broker)).all())
                    .values()
                    .stream()
                    .map(config -> config.get(kind.property))
                    .filter(entry -> entry != null)
                    .mapToInt(entry -> Integer.parseInt(entry.value()))
                    .findFirst()
                    .orElse(0);
        } catch (KafkaException refused) {
            return 0;
        }
    }
}
