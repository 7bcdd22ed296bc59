package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.WorseNetwork;
import weir.cluster.relay.RelayedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec.Network;
import weir.plan.DisturbanceSpec.Network.Between;
import weir.plan.DisturbanceSpec.Network.Way;

/** Three brokers and a controller, all behind relays: partition 0 is led by broker 2, partition 1 has nothing to do with it. */
@Timeout(180)
class NetworkIT {
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

    @Test
    void theNetworkOfOneBrokerIsSlowAmongClientsAmongBrokersAndCut() throws Exception {
        Kafkas asked = Kafkas.of("4.3.1", 3)
                .controllers(1)
                .broker("broker.session.timeout.ms", "3000")
                .broker("broker.heartbeat.interval.ms", "300");
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                RelayedCluster cluster =
                        RelayedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {});
                Admin admin = Admin.create(properties(cluster.clientProperties()))) {
            admin.createTopics(List.of(new NewTopic("t", Map.of(0, List.of(2, 1), 1, List.of(1, 3)))))
                    .all()
                    .get();
            try (KafkaProducer<byte[], byte[]> relayed = producer(cluster.loadProperties());
                    KafkaProducer<byte[], byte[]> direct = producer(cluster.clientProperties())) {
                assertThat(millis(relayed, 0)).isLessThan(DELAY_MILLIS);

                try (WorseNetwork worse = cluster.worsen(slow(Between.CLIENTS, Way.BOTH))) {
                    assertThat(millis(relayed, 0)).isGreaterThanOrEqualTo(2 * DELAY_MILLIS);
                    assertThat(millis(relayed, 1)).as("another broker").isLessThan(DELAY_MILLIS);
                    assertThat(millis(direct, 0)).as("not through the relay").isLessThan(DELAY_MILLIS);
                    assertThat(worse.bytes()).isPositive();
                }
                try (WorseNetwork worse = cluster.worsen(slow(Between.CLIENTS, Way.OUT))) {
                    assertThat(millis(relayed, 0)).isBetween(DELAY_MILLIS + 0.0, 2.0 * DELAY_MILLIS);
                    assertThat(worse.bytes()).isPositive();
                }
                try (WorseNetwork worse = cluster.worsen(slow(Between.BROKERS, Way.BOTH))) {
                    assertThat(millis(direct, 0))
                            .as("its follower hears of it late")
                            .isGreaterThanOrEqualTo(DELAY_MILLIS);
                    assertThat(millis(direct, 1)).as("replicated among others").isLessThan(DELAY_MILLIS);
                    assertThat(worse.bytes()).isPositive();
                }
                try (WorseNetwork worse = cluster.worsen(cut())) {
                    awaitLeader(cluster, 1);
                    try (Admin near = near(cluster)) {
                        assertThat(live(near)).containsExactly(1, 3);
                    }
                    assertThat(cluster.brokers().get(1).pid())
                            .as("it never ended")
                            .isPositive();
                    assertThat(millis(relayed, 0)).as("the other replica leads").isPositive();
                    assertThat(worse.bytes()).isNotNegative();
                }
                while (live(admin).size() < 3 || partition(admin).isr().size() < 2) {
                    Thread.sleep(50);
                }
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
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The median of a few, each sent when the one before was acknowledged. */
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

    /** One that begins with broker 1, which knows what happened to broker 2; that one itself does not. */
    private static Admin near(RelayedCluster cluster) {
        Properties properties = properties(cluster.clientProperties());
        properties.put("bootstrap.servers", cluster.brokers().get(0).address());
        return Admin.create(properties);
    }

    private static void awaitLeader(RelayedCluster cluster, int broker) throws Exception {
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
