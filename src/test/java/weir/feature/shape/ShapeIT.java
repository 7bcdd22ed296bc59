package weir.feature.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Shell;
import weir.cluster.start.EmbeddedCluster;
import weir.plan.GroupSpec;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.real.KafkaTool;
import weir.real.Kafkas;
import weir.real.SharedKafka;

/** The {@code weir shape} command on a real broker, whose load is known. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class ShapeIT {
    @TempDir
    Path folder;

    private final EmbeddedCluster cluster;

    ShapeIT(SharedKafka.Clusters clusters) {
        // Not the cluster that most tests share, because their groups come and go.
        cluster = clusters.of(Kafkas.of("4.4.0", 1).broker("group.initial.rebalance.delay.ms", "10"));
    }

    @Test
    void fileHasTheSettingsOfTheLoadAndTheClusterHasNoNewGroup() throws Exception {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            create(admin, "shaped");
            Shell ended;
            try (KafkaConsumer<byte[], byte[]> reader = reader()) {
                reader.subscribe(List.of("shaped"));
                while (reader.assignment().isEmpty()) {
                    reader.poll(Duration.ofMillis(100));
                }
                List<String> before = groups(admin);
                FutureTask<Shell> shaping = shape("shaped.*", "5MB/s");
                produceUntil(shaping, "shaped", new byte[500], 10);
                ended = shaping.get(30, TimeUnit.SECONDS);
                assertThat(groups(admin)).isEqualTo(before);
            }
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(ended.err()).contains("weir check shape.yaml").doesNotContain("edit these lines");
            check(ended.out());
            assertThat(ended.out())
                    .contains("# - shaped-empty: no record arrived")
                    .doesNotContain("key-");
            admin.deleteTopics(List.of("shaped", "shaped-empty")).all().get();
        }
    }

    @Test
    @Tag("long")
    void recordsAboveTheMaximumRateAreSkippedAndADeletedTopicIsNamed() throws Exception {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            create(admin, "skipped");
            FutureTask<Shell> shaping = shape("skipped.*", "2kB/s");
            byte[] value = new byte[500];
            new SplittableRandom(1).nextBytes(value);
            Thread deletion = new Thread(() -> {
                LockSupport.parkNanos(3_000_000_000L);
                admin.deleteTopics(List.of("skipped-empty"));
            });
            deletion.start();
            produceUntil(shaping, "skipped", value, Integer.MAX_VALUE);
            deletion.join();
            Shell ended = shaping.get(30, TimeUnit.SECONDS);
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(ended.out().replaceAll("\n *# ", " "))
                    .containsPattern("and skipped [0-9,]+ records, because of --max-rate or retention")
                    .contains("- skipped-empty: the topic was deleted during the observation");
            LoadSpec load = read(ended.out()).load();
            assertThat(load.rate().mean(load.senders(), 10_000_000_000L))
                    .as(load.rate().text())
                    .isBetween(170.0, 230.0);
            assertThat(load.messages().value().meanBytes()).isEqualTo(500);
            admin.deleteTopics(List.of("skipped")).all().get();
        }
    }

    @Test
    @Tag("long")
    void fileOfKafkasPerfToolHasItsSizeAndRateAndNoKeys() throws Exception {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            create(admin, "perf");
            Process tool = KafkaTool.start(
                    "ProducerPerformance",
                    folder.resolve("out"),
                    folder.resolve("errors"),
                    List.of(
                            "--topic",
                            "perf",
                            "--num-records",
                            "100000",
                            "--record-size",
                            "700",
                            "--throughput",
                            "400",
                            "--bootstrap-server",
                            cluster.bootstrap()));
            try {
                LockSupport.parkNanos(4_000_000_000L);
                FutureTask<Shell> shaping = shape("perf", "5MB/s");
                Shell ended = shaping.get(40, TimeUnit.SECONDS);
                assertThat(ended.exit()).as(ended.err()).isZero();
                LoadSpec load = read(ended.out()).load();
                assertThat(load.messages().key()).isEqualTo(new KeySpec.None());
                assertThat(load.messages().value().meanBytes()).isEqualTo(700);
                assertThat(load.rate().mean(load.senders(), 10_000_000_000L))
                        .as(load.rate().text())
                        .isBetween(380.0, 420.0);
            } finally {
                tool.destroyForcibly().waitFor();
            }
            admin.deleteTopics(List.of("perf", "perf-empty")).all().get();
        }
    }

    private KafkaConsumer<byte[], byte[]> reader() {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("group.id", "shaped-readers");
        properties.put("group.protocol", "consumer");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        return new KafkaConsumer<>(properties, bytes, bytes);
    }

    private static void create(Admin admin, String name) throws Exception {
        admin.createTopics(List.of(
                        new NewTopic(name, 3, (short) 1).configs(Map.of("segment.bytes", "2097152")),
                        new NewTopic(name + "-empty", 1, (short) 1)))
                .all()
                .get();
    }

    private FutureTask<Shell> shape(String topics, String maxRate) {
        FutureTask<Shell> shaping = new FutureTask<>(() -> Shell.weir(
                "shape",
                "--bootstrap-server",
                cluster.bootstrap(),
                "--topics",
                topics,
                "--max-rate",
                maxRate,
                "--for",
                "12s",
                "--show"));
        new Thread(shaping, "shape").start();
        return shaping;
    }

    private static Variant read(String file) {
        return PlanReader.read(Path.of("shape.yaml"), file, Overrides.NONE)
                .variants()
                .get(0);
    }

    private static List<String> groups(Admin admin) throws Exception {
        return admin.listGroups().all().get().stream()
                .map(GroupListing::groupId)
                .sorted()
                .toList();
    }

    /** Sends 200 records a second, with 100 equally frequent keys, in transactions of this many records. */
    private void produceUntil(FutureTask<Shell> shaping, String topic, byte[] value, int transaction) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("compression.type", "lz4");
        properties.put("linger.ms", "40");
        properties.put("transactional.id", topic);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            producer.initTransactions();
            producer.beginTransaction();
            long began = System.nanoTime();
            for (long i = 0; !shaping.isDone(); i++) {
                LockSupport.parkNanos(began + i * 5_000_000 - System.nanoTime());
                byte[] key = ("key-" + i * 37 % 100).getBytes(StandardCharsets.US_ASCII);
                var unused = producer.send(new ProducerRecord<>(topic, key, value));
                if (i % transaction == transaction - 1) {
                    producer.commitTransaction();
                    producer.beginTransaction();
                }
            }
            producer.commitTransaction();
        }
    }

    private static void check(String file) {
        Variant variant = read(file);
        assertThat(variant.topics()).containsOnlyKeys("shaped").hasEntrySatisfying("shaped", topic -> {
            assertThat(topic.partitions()).isEqualTo(3);
            assertThat(topic.config()).containsEntry("segment.bytes", "2097152");
        });
        LoadSpec load = variant.load();
        assertThat(load.rate().mean(load.senders(), 10_000_000_000L))
                .as(load.rate().text())
                .isBetween(170.0, 230.0);
        assertThat(load.messages().value().meanBytes()).isEqualTo(500);
        assertThat(load.messages().key()).isEqualTo(new KeySpec.Skewed(100, 0));
        assertThat(load.producers().count()).isEqualTo(1);
        assertThat(load.workload()).isEqualTo(LoadSpec.Workload.DELIVER);
        assertThat(load.consumers().group().name()).isEqualTo("shaped-readers");
        assertThat(load.consumers().group().protocol()).isEqualTo(GroupSpec.Protocol.CONSUMER);
        assertThat(load.transaction()).isInstanceOfSatisfying(TransactionSpec.Records.class, transaction -> {
            assertThat(transaction.records()).isBetween(8L, 12L);
            assertThat(transaction.abort().share()).isZero();
        });
        assertThat(load.producers().properties())
                .containsEntry("compression.type", "lz4")
                .doesNotContainKey("enable.idempotence");
        assertThat(Integer.parseInt(load.producers().properties().getOrDefault("linger.ms", "")))
                .isBetween(20, 60);
    }
}
