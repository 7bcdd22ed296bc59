package weir.feature.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import weir.cli.Shell;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.EmbeddedCluster;
import weir.real.SharedKafka;

/** The {@code weir monitor} command on topics that other programs write, change and delete. */
@ExtendWith(SharedKafka.class)
@Timeout(60)
class MonitorIT {
    private final EmbeddedCluster cluster;
    private final Admin admin;

    MonitorIT(SharedKafka.Clusters clusters) {
        cluster = clusters.one();
        admin = Admin.create(new HashMap<>(cluster.clientProperties()));
    }

    @BeforeEach
    void create() throws Exception {
        make();
    }

    private void make() throws Exception {
        admin.createTopics(List.of(new NewTopic("monitored", 1, (short) 1)))
                .all()
                .get();
    }

    private void delete() throws Exception {
        admin.deleteTopics(List.of("monitored")).all().get();
    }

    @AfterEach
    void close() throws Exception {
        if (admin.listTopics().names().get().contains("monitored")) {
            delete();
        }
        admin.close();
    }

    private void write(int transactions) {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("transactional.id", "monitored");
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(properties, bytes, bytes)) {
            producer.initTransactions();
            for (int i = 0; i < transactions; i++) {
                producer.beginTransaction();
                for (int record = 0; record < 10; record++) {
                    var unused = producer.send(new ProducerRecord<>("monitored", new byte[10]));
                }
                producer.commitTransaction();
            }
        }
    }

    @Test
    void markersOfTransactionsAreCountedAsOffsetsAndNotAsRecords() {
        write(10);
        Shell ended = Shell.weir(
                "monitor",
                "monitored",
                "--bootstrap-server",
                cluster.bootstrap(),
                "--samples",
                "2",
                "--interval",
                "50ms");
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out())
                .contains("offsets", "monitored: 110 offsets, 2 samples, 0 of them while it grew")
                .doesNotContain("records");
    }

    @Test
    void addedPartitionIsNotedAndDeletedTopicIsAFailureWithItsReason() throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        FutureTask<Shell> watching = new FutureTask<>(() -> Shell.weir(
                out, err, "monitor", "monitored", "--bootstrap-server", cluster.bootstrap(), "--interval", "50ms"));
        Thread thread = new Thread(watching, "monitor");
        thread.start();
        await(watching, () -> out.toString().lines().count() > 2);
        admin.createPartitions(Map.of("monitored", NewPartitions.increaseTo(3)))
                .all()
                .get();
        await(watching, () -> err.toString().contains("topic 'monitored' now has 3 partitions, 2 more"));
        delete();
        Shell ended = watching.get(30, TimeUnit.SECONDS);
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err()).endsWith("topic 'monitored' was deleted during the watch\n");
    }

    private static void await(FutureTask<Shell> watching, BooleanSupplier seen) {
        while (!seen.getAsBoolean()) {
            assertThat(watching.isDone()).isFalse();
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void recreatedTopicFailsEvenIfItHasMoreRecords() throws Exception {
        write(1);
        try (MonitorCommand.EndOffsets ends = new MonitorCommand.EndOffsets(cluster, "monitored")) {
            assertThat(ends.sum()).isEqualTo(11);
            delete();
            make();
            write(2);
            assertThatThrownBy(ends::sum)
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageMatching("topic 'monitored' was deleted (and created again )?during the watch");
            assertThat(ends.gone()).isTrue();
        }
    }
}
