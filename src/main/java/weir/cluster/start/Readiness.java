package weir.cluster.start;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;

/** A wait until a starting cluster can be used. It fails early if the cluster can no longer start. */
final class Readiness {
    private static final String PROBE = "weir-ready";
    private static final List<String> INTERNAL = List.of("__consumer_offsets", "__transaction_state");
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(50);

    private final SortedMap<String, String> client;
    private final List<Node> brokers;
    private final StartTimeouts timeout;

    Readiness(SortedMap<String, String> clientProperties, Collection<Node> brokers, Runnable alive) {
        this.brokers = List.copyOf(brokers);
        timeout = new StartTimeouts(LIMIT, alive);
        client = new TreeMap<>(clientProperties);
        // Brokers on this machine are up in seconds, so it pays to ask them often.
        client.put("reconnect.backoff.ms", "20");
        client.put("reconnect.backoff.max.ms", "50");
        client.put("retry.backoff.ms", "20");
        client.put("retry.backoff.max.ms", "50");
    }

    /** Waits until brokers answer and dedicated controllers listen. */
    void awaitNodes() {
        awaitListeners();
        if (brokers.stream().noneMatch(Node::broker)) {
            return;
        }
        try (AdminAnswers answers = new AdminAnswers(client, timeout)) {
            awaitBrokers(answers);
        }
    }

    /** Waits until internal topics exist and a record was written and read; returns the cluster's id. */
    String awaitRecords() {
        awaitListeners();
        try (AdminAnswers answers = new AdminAnswers(client, timeout)) {
            awaitBrokers(answers);
            makeTopic(answers);
            writeAndRead();
            timeout.until("all replicas of " + INTERNAL, () -> inSync(answers));
            answers.once(
                    "the end of topic " + PROBE,
                    admin -> admin.deleteTopics(List.of(PROBE)).all());
            timeout.until("the end of topic " + PROBE, () -> !answers.know(PROBE));
            return answers.to(
                    "the cluster's id", admin -> admin.describeCluster().clusterId());
        }
    }

    // Plain connections come first, because a client logs every refused connection.
    private void awaitListeners() {
        for (Node broker : brokers) {
            timeout.until("a listener of " + broker.name(), () -> listens(broker));
        }
    }

    private static boolean listens(Node broker) {
        for (InetSocketAddress listener : broker.listeners()) {
            try (Socket socket = new Socket(listener.getAddress(), listener.getPort())) {
                if (!socket.isConnected()) {
                    return false;
                }
            } catch (IOException refused) {
                return false;
            }
        }
        return true;
    }

    private void awaitBrokers(AdminAnswers answers) {
        List<Integer> ids = brokers.stream().map(Node::id).toList();
        timeout.until(
                "brokers " + ids,
                () -> answers.to("the brokers", admin -> admin.describeCluster().nodes()).stream()
                        .map(node -> node.id())
                        .toList()
                        .containsAll(ids));
        List<ConfigResource> each = ids.stream()
                .map(id -> new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id)))
                .toList();
        answers.to(
                "an answer of every broker",
                admin -> admin.describeConfigs(each).all());
    }

    private void makeTopic(AdminAnswers answers) {
        NewTopic probe = new NewTopic(PROBE, 1, (short) Math.min(3, brokers.size()));
        try {
            answers.to(
                    "topic " + PROBE,
                    admin -> admin.createTopics(List.of(probe)).all());
        } catch (TopicExistsException alreadyTheFirstTime) {
            // The topic was created, but the answer came too late.
        }
    }

    // Brokers create internal topics when a client looks up a coordinator, here for a transaction and a group. The
    // admin client would repeat the lookup thousands of times a second.
    private void writeAndRead() {
        Map<String, Object> writing = new HashMap<>(client);
        writing.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, PROBE);
        writing.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.toIntExact(CALL.toMillis()));
        Map<String, Object> reading = new HashMap<>(client);
        reading.put(ConsumerConfig.GROUP_ID_CONFIG, PROBE);
        reading.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        reading.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        TopicPartition partition = new TopicPartition(PROBE, 0);
        timeout.until("a committed record", () -> commits(writing));
        try (var consumer = new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            timeout.until("a group coordinator", () -> inTime(() -> consumer.committed(Set.of(partition), CALL)));
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            timeout.until("a record that is read", () -> !consumer.poll(POLL).isEmpty());
        }
    }

    /**
     * Tries a transaction. Returns false if another producer may succeed: during leader elections, brokers may refuse
     * one producer permanently and accept the next.
     */
    private static boolean commits(Map<String, Object> writing) {
        var producer = new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(PROBE, 0, null, new byte[1]));
            producer.commitTransaction();
            return true;
        } catch (TimeoutException | InvalidTxnStateException notYet) {
            return false;
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private static boolean inTime(Runnable call) {
        try {
            call.run();
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    private static boolean inSync(AdminAnswers answers) {
        return answers.describe(INTERNAL).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null
                        && partition.isr().size() == partition.replicas().size());
    }
}
