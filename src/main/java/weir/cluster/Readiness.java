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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Waits until a cluster that is starting can be used, and looks meanwhile whether it still can come up. */
final class Readiness implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String PROBE = "weir-ready";
    private static final List<String> INTERNAL = List.of("__consumer_offsets", "__transaction_state");

    private final Map<String, Object> client = new HashMap<>();
    private final List<Node> brokers;
    private final Runnable alive;
    private final Admin admin;
    private final long deadline = System.nanoTime() + LIMIT.toNanos();

    /** {@code alive} fails when a node has died. */
    Readiness(SortedMap<String, String> clientProperties, Collection<Node> brokers, Runnable alive) {
        this.brokers = List.copyOf(brokers);
        this.alive = alive;
        client.putAll(clientProperties);
        // Brokers on this machine are up in seconds, so it pays to ask them often.
        client.put("reconnect.backoff.ms", "20");
        client.put("reconnect.backoff.max.ms", "50");
        client.put("retry.backoff.ms", "20");
        client.put("retry.backoff.max.ms", "50");
        // A client complains about every connection that is refused, so plain ones come first.
        for (Node broker : brokers) {
            while (!listens(broker)) {
                pause();
            }
        }
        admin = Admin.create(client);
    }

    /** Every broker is registered and unfenced, and answers. */
    void brokersAnswer() {
        List<Integer> ids = brokers.stream().map(Node::id).toList();
        while (!unfenced().containsAll(ids)) {
            pause();
        }
        var asked = ids.stream()
                .map(id -> new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id)))
                .toList();
        wait(admin.describeConfigs(asked).all(), "answers from every broker");
    }

    /** Internal topics are there, and a record goes in and comes out. */
    void recordsGoThrough() {
        short replicas = (short) Math.min(3, brokers.size());
        wait(admin.createTopics(List.of(new NewTopic(PROBE, 1, replicas))).all(), "topic " + PROBE);
        // Asking for a coordinator makes the topic that it works on.
        KafkaFuture<?> group = admin.describeConsumerGroups(List.of(PROBE)).all();
        KafkaFuture<?> transactions = admin.describeTransactions(List.of(PROBE)).all();
        while (!inSync(INTERNAL) || !inSync(List.of(PROBE))) {
            pause();
        }
        writeAndRead();
        try {
            wait(group, "a group coordinator");
        } catch (GroupIdNotFoundException expected) {
            // Found its coordinator, which knows no such group.
        }
        try {
            wait(transactions, "a transaction coordinator");
        } catch (TransactionalIdNotFoundException expected) {
            // Found its coordinator, which knows no such transaction.
        }
        wait(admin.deleteTopics(List.of(PROBE)).all(), "the end of topic " + PROBE);
        while (there(List.of(PROBE))) {
            pause();
        }
    }

    private static boolean listens(Node broker) {
        for (Map.Entry<String, Integer> listener : broker.ports().entrySet()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.getValue())) {
                if (!socket.isConnected()) {
                    return false;
                }
            } catch (IOException refused) {
                return false;
            }
        }
        return true;
    }

    private List<Integer> unfenced() {
        return wait(admin.describeCluster().nodes(), "the brokers").stream()
                .map(node -> node.id())
                .toList();
    }

    private boolean inSync(List<String> topics) {
        try {
            return describe(topics).values().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .allMatch(partition -> partition.leader() != null
                            && partition.isr().size() == partition.replicas().size());
        } catch (UnknownTopicOrPartitionException notYet) {
            return false;
        }
    }

    private boolean there(List<String> topics) {
        try {
            return !describe(topics).isEmpty();
        } catch (UnknownTopicOrPartitionException gone) {
            return false;
        }
    }

    private Map<String, TopicDescription> describe(List<String> topics) {
        return wait(admin.describeTopics(topics).allTopicNames(), "topics " + topics);
    }

    private void writeAndRead() {
        Map<String, Object> producing = new HashMap<>(client);
        producing.put("linger.ms", "0");
        TopicPartition partition = new TopicPartition(PROBE, 0);
        try (var producer = new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer());
                var consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            wait(producer.send(new ProducerRecord<>(PROBE, 0, null, new byte[1])), "a record that is written");
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (consumer.poll(Duration.ofMillis(50)).isEmpty()) {
                check("a record that is read");
            }
        }
    }

    private <T> T wait(Future<T> future, String what) {
        while (true) {
            try {
                return future.get(100, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                check(what);
            } catch (ExecutionException e) {
                throw Answers.failure(e, what);
            } catch (InterruptedException e) {
                throw Answers.interrupted(e, what);
            }
        }
    }

    private void pause() {
        LockSupport.parkNanos(20_000_000);
        check("topics and brokers in sync");
    }

    private void check(String what) {
        alive.run();
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("interrupted while waiting for " + what);
        }
        if (System.nanoTime() - deadline > 0) {
            throw new ClusterUnavailable("the brokers run, but after " + LIMIT.toSeconds() + " s there was no sign of "
                    + what + "; their logs tell more");
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
