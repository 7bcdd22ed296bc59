package weir.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Waits until a cluster that is starting can be used, and looks meanwhile whether it still can come up. */
final class Readiness {
    private static final String PROBE = "weir-ready";
    private static final List<String> TOPICS = List.of(PROBE, "__consumer_offsets", "__transaction_state");
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(50);

    private final SortedMap<String, String> client;
    private final List<Node> brokers;
    private final Patience patience;

    /** {@code alive} fails when a node has died. */
    Readiness(SortedMap<String, String> clientProperties, Collection<Node> brokers, Runnable alive) {
        this.brokers = List.copyOf(brokers);
        patience = new Patience(LIMIT, alive);
        client = new TreeMap<>(clientProperties);
        // Brokers on this machine are up in seconds, so it pays to ask them often.
        client.put("reconnect.backoff.ms", "20");
        client.put("reconnect.backoff.max.ms", "50");
        client.put("retry.backoff.ms", "20");
        client.put("retry.backoff.max.ms", "50");
    }

    /** Every broker is registered and unfenced, and answers. */
    void awaitBrokers() {
        awaitListeners();
        try (Answers answers = new Answers(client, patience)) {
            awaitBrokers(answers);
        }
    }

    /** The same, and internal topics are there, and a record went in and came out. */
    void awaitRecords() {
        awaitListeners();
        try (Answers answers = new Answers(client, patience)) {
            awaitBrokers(answers);
            makeTopics(answers);
            writeAndRead(answers);
            answers.once(
                    "the end of topic " + PROBE,
                    admin -> admin.deleteTopics(List.of(PROBE)).all());
            patience.until("the end of topic " + PROBE, () -> !answers.know(PROBE));
        }
    }

    // A client complains about every connection that is refused, so plain ones come first.
    private void awaitListeners() {
        for (Node broker : brokers) {
            patience.until("a listener of " + broker.name(), () -> listens(broker));
        }
    }

    private static boolean listens(Node broker) {
        for (int port : broker.ports().values()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (!socket.isConnected()) {
                    return false;
                }
            } catch (IOException refused) {
                return false;
            }
        }
        return true;
    }

    private void awaitBrokers(Answers answers) {
        List<Integer> ids = brokers.stream().map(Node::id).toList();
        patience.until(
                "brokers " + ids,
                () -> answers.to("the brokers", admin -> admin.describeCluster().nodes()).stream()
                        .map(node -> node.id())
                        .toList()
                        .containsAll(ids));
        List<ConfigResource> each = ids.stream()
                .map(id -> new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id)))
                .toList();
        answers.to(
                "answers of every broker", admin -> admin.describeConfigs(each).all());
    }

    private void makeTopics(Answers answers) {
        NewTopic probe = new NewTopic(PROBE, 1, (short) Math.min(3, brokers.size()));
        try {
            answers.to(
                    "topic " + PROBE,
                    admin -> admin.createTopics(List.of(probe)).all());
        } catch (TopicExistsException alreadyTheFirstTime) {
            // It was made, but the answer came too late.
        }
        patience.until("the coordinators of groups and transactions", () -> coordinatorsAnswer(answers));
        patience.until("all replicas of " + TOPICS, () -> inSync(answers));
    }

    // Asking for a coordinator makes the topic that it works on; both at a time, since each takes a while.
    private static boolean coordinatorsAnswer(Answers answers) {
        Future<?> group = answers.ask(
                admin -> admin.describeConsumerGroups(List.of(PROBE)).all());
        Future<?> transaction =
                answers.ask(admin -> admin.describeTransactions(List.of(PROBE)).all());
        return answered(answers, group) && answered(answers, transaction);
    }

    private static boolean answered(Answers answers, Future<?> question) {
        try {
            var unused = answers.of("a coordinator", question);
            return true;
        } catch (GroupIdNotFoundException | TransactionalIdNotFoundException expected) {
            // There is a coordinator, and it knows no such group or transaction.
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    private static boolean inSync(Answers answers) {
        return answers.describe(TOPICS).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null
                        && partition.isr().size() == partition.replicas().size());
    }

    private void writeAndRead(Answers answers) {
        Map<String, Object> producing = new HashMap<>(client);
        producing.put("linger.ms", "0");
        TopicPartition partition = new TopicPartition(PROBE, 0);
        try (var producer = new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer());
                var consumer = new KafkaConsumer<>(
                        new HashMap<>(client), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            answers.of("a record that is written", producer.send(new ProducerRecord<>(PROBE, 0, null, new byte[1])));
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            patience.until("a record that is read", () -> !consumer.poll(POLL).isEmpty());
        }
    }
}
