package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Impairment;
import weir.cluster.relay.Relays;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.StartOptions;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec.Disk;
import weir.plan.DisturbanceSpec.Network;
import weir.plan.DisturbanceSpec.Network.Between;
import weir.plan.DisturbanceSpec.Network.Way;
import weir.plan.RecordKeys;

/**
 * Three brokers and a controller, all behind relays, each with its own disk. Broker 2 leads partition 0 and has no
 * replica of partition 1.
 */
@Timeout(180)
class ImpairmentIT {
    private static final int DELAY_MILLIS = 200;

    @TempDir
    Path folder;

    private static Network slow(Between between, Way way) {
        return new Network(
                Duration.ZERO,
                Duration.ZERO,
                2,
                between,
                way,
                Duration.ofMillis(DELAY_MILLIS),
                Duration.ZERO,
                new ByteSize(0),
                false);
    }

    private static Network cut() {
        return new Network(
                Duration.ZERO,
                Duration.ZERO,
                2,
                Between.ALL,
                Way.BOTH,
                Duration.ZERO,
                Duration.ZERO,
                new ByteSize(0),
                true);
    }

    private static Disk disk(long bytesPerSecond, boolean full) {
        return new Disk(Duration.ZERO, Duration.ZERO, 2, new ByteSize(bytesPerSecond), full);
    }

    @Test
    @SuppressWarnings("try")
    @Tag("alone")
    void networkAndDiskFaultsOfOneBrokerTakeEffect() throws Exception {
        Kafkas asked = Kafkas.of("4.4.0", 3)
                .controllers(1)
                .broker("broker.session.timeout.ms", "3000")
                .broker("broker.heartbeat.interval.ms", "300");
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(
                        asked.spec(),
                        children,
                        folder.resolve("logs"),
                        RecordKeys.with(StartOptions.plain().relayed(Relays::before), Map.of("disks", true)),
                        what -> {});
                Admin admin = Admin.create(properties(cluster.clientProperties()))) {
            admin.createTopics(List.of(new NewTopic("t", Map.of(0, List.of(2, 1), 1, List.of(1, 3)))))
                    .all()
                    .get();
            try (KafkaProducer<byte[], byte[]> relayed = producer(cluster.loadProperties());
                    KafkaProducer<byte[], byte[]> direct = producer(cluster.clientProperties())) {
                assertThat(millis(relayed, 0)).isLessThan(DELAY_MILLIS);

                try (Impairment worse = cluster.impair(slow(Between.CLIENTS, Way.BOTH))) {
                    assertThat(millis(relayed, 0)).isGreaterThanOrEqualTo(2 * DELAY_MILLIS);
                    assertThat(millis(relayed, 1)).as("another broker").isLessThan(DELAY_MILLIS);
                    assertThat(millis(direct, 0)).as("not through the relay").isLessThan(DELAY_MILLIS);
                }
                try (Impairment worse = cluster.impair(slow(Between.CLIENTS, Way.OUT))) {
                    assertThat(millis(relayed, 0)).isBetween(DELAY_MILLIS + 0.0, 2.0 * DELAY_MILLIS);
                }
                try (Impairment worse = cluster.impair(slow(Between.BROKERS, Way.BOTH))) {
                    assertThat(millis(direct, 0))
                            .as("its follower hears of it late")
                            .isGreaterThanOrEqualTo(DELAY_MILLIS);
                    assertThat(millis(direct, 1)).as("replicated among others").isLessThan(DELAY_MILLIS);
                }
                try (Impairment worse = cluster.impair(cut())) {
                    awaitLeader(cluster, 1);
                    try (Admin near = near(cluster)) {
                        assertThat(live(near)).containsExactly(1, 3);
                    }
                    assertThat(cluster.brokers().get(1).pid())
                            .as("it never ended")
                            .isPositive();
                    assertThat(millis(relayed, 0)).as("the other replica leads").isPositive();
                }
                awaitAll(cluster);
                disk(cluster, admin);
            }
        }
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder.toString());
    }

    /** Limits the disk's bytes per second, then to zero. That ends the broker until there is space again. */
    @SuppressWarnings("try")
    private static void disk(EmbeddedCluster cluster, Admin admin) throws Exception {
        NewTopic flushed = new NewTopic("flushed", Map.of(0, List.of(2), 1, List.of(1)));
        admin.createTopics(List.of(flushed.configs(Map.of("flush.messages", "1"))))
                .all()
                .get();
        SortedMap<String, String> client = cluster.clientProperties();
        client.put("delivery.timeout.ms", "4000");
        try (KafkaProducer<byte[], byte[]> producer = producer(client)) {
            double before = secondsToWrite(producer, 0);
            try (Impairment worse = cluster.impair(disk(1 << 20, false))) {
                assertThat(secondsToWrite(producer, 0)).as("4 MiB at 1 MiB/s").isBetween(3.0, 8.0);
                assertThat(secondsToWrite(producer, 1)).as("another broker").isLessThan(2);
            }
            assertThat(secondsToWrite(producer, 0)).isLessThan(Math.max(2, 3 * before));
            try (Impairment worse = cluster.impair(disk(0, true))) {
                assertThatThrownBy(() -> secondsToWrite(producer, 0)).isInstanceOf(ExecutionException.class);
                awaitLeader(cluster, 1);
                assertThat(cluster.brokers().get(1).pid()).as("it has ended").isEqualTo(-1);
            }
            assertThat(cluster.brokers().get(1).pid()).as("it is back").isPositive();
            awaitAll(cluster);
            assertThat(secondsToWrite(producer, 0)).isLessThan(Math.max(2, 3 * before));
        }
    }

    private static double secondsToWrite(KafkaProducer<byte[], byte[]> producer, int partition) throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < 8; i++) {
            producer.send(new ProducerRecord<>("flushed", partition, null, new byte[1 << 19]))
                    .get();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Asks the other brokers, because an isolated broker knows nothing. */
    private static void awaitAll(EmbeddedCluster cluster) throws Exception {
        try (Admin near = near(cluster)) {
            while (live(near).size() < 3 || partition(near).isr().size() < 2) {
                Thread.sleep(50);
            }
        }
    }

    private static Properties properties(SortedMap<String, String> client) {
        Properties properties = new Properties();
        properties.putAll(client);
        return properties;
    }

    private static KafkaProducer<byte[], byte[]> producer(SortedMap<String, String> client) {
        Properties properties = properties(client);
        properties.put("acks", "all");
        properties.put("linger.ms", "0");
        // An isolated broker does not answer, so the client asks the next one only after this time.
        properties.put("request.timeout.ms", "2000");
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns the median of a few sends, each after the acknowledgement of the previous one. */
    private static double millis(KafkaProducer<byte[], byte[]> producer, int partition) throws Exception {
        double[] millis = new double[5];
        for (int i = 0; i < millis.length; i++) {
            long begin = System.nanoTime();
            producer.send(new ProducerRecord<>("t", partition, null, new byte[10]))
                    .get();
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        Arrays.sort(millis);
        return millis[millis.length / 2];
    }

    private static TopicPartitionInfo partition(Admin admin) throws Exception {
        return admin.describeTopics(List.of("t"))
                .allTopicNames()
                .get()
                .get("t")
                .partitions()
                .get(0);
    }

    /** Returns a client of broker 1, which knows the state of broker 2. Broker 2 itself does not. */
    private static Admin near(EmbeddedCluster cluster) {
        Properties properties = properties(cluster.clientProperties());
        properties.put("bootstrap.servers", cluster.brokers().get(0).address());
        return Admin.create(properties);
    }

    private static void awaitLeader(EmbeddedCluster cluster, int broker) throws Exception {
        while (true) {
            try (Admin near = near(cluster)) {
                Node leader = live(near).contains(2) ? null : partition(near).leader();
                if (leader != null && leader.id() == broker) {
                    return;
                }
            }
            Thread.sleep(50);
        }
    }

    private static List<Integer> live(Admin admin) throws Exception {
        List<Integer> live = new ArrayList<>();
        admin.describeCluster().nodes().get().forEach(node -> live.add(node.id()));
        live.sort(null);
        return live;
    }
}
