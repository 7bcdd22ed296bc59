package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.Cluster;
import weir.load.Load;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Steps;

/** Readers that are members of a share group, on one real broker. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class ShareGroupIT {
    @TempDir
    private static Path folder;

    private static Carried carry(SharedKafka.Clusters clusters, String yaml, Consumer<Load> during) throws Exception {
        return Carried.load(clusters.one(), folder, Carrier.CLIENT, yaml, during, topics -> {});
    }

    /** Asserts that each acked record has one of the fates that a share group has, and that the log has all of them. */
    private static void assertAccounted(Balance balance) {
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.ACKED)).isEqualTo(balance.of(Count.SENT));
        assertThat(balance.of(Count.ACQUIRED))
                .isEqualTo(balance.of(Count.ACCEPTED)
                        + balance.of(Count.RELEASED)
                        + balance.of(Count.REJECTED)
                        + balance.of(Count.LOCK_EXPIRED));
        assertThat(balance.of(Count.ACCEPTED) + balance.of(Count.ARCHIVED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(balance.of(Count.LOST) + balance.of(Count.UNREAD) + balance.of(Count.DUPLICATED))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"implicit", "explicit"})
    void everyAckedRecordIsAcceptedOnce(String acknowledge, SharedKafka.Clusters clusters) throws Exception {
        Carried carried = carry(clusters, """
                topics: { t: { partitions: 2 } }
                load:
                  workload: deliver
                  consumers: 4
                  rate: 1000/s
                  group: { name: g, protocol: share, acknowledge: %s }
                warmup: 1s
                measure: 3s
                """.formatted(acknowledge), load -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertAccounted(balance);
        assertThat(balance.of(Count.ACQUIRED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(balance.of(Count.REDELIVERED) + balance.of(Count.REREAD)).isZero();
        assertThat(carried.numbers().received()).isEqualTo(balance.of(Count.ACKED));
        assertThat(carried.unread).isZero();
        assertThat(carried.readings).contains("lag.records", "lag.seconds");
    }

    @Test
    void releasedRecordsAreRedeliveredAndRejectedRecordsAreArchived(SharedKafka.Clusters clusters) throws Exception {
        Carried carried = carry(clusters, """
                topics: { t: { partitions: 2 } }
                load:
                  workload: deliver
                  consumers: 3
                  rate: 2000/s
                  group: { name: g, protocol: share, acknowledge: explicit }
                  outcome: { release: 5%, reject: 1% }
                warmup: none
                measure: 3s
                """, load -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertAccounted(balance);
        long acked = balance.of(Count.ACKED);
        assertThat(balance.of(Count.RELEASED)).isBetween(acked / 100 * 3, acked / 100 * 8);
        assertThat(balance.of(Count.REJECTED)).isBetween(acked / 1_000 * 4, acked / 1_000 * 18);
        assertThat(balance.of(Count.REDELIVERED)).isEqualTo(balance.of(Count.RELEASED));
        assertThat(balance.of(Count.REREAD)).isEqualTo(balance.of(Count.REDELIVERED));
        assertThat(balance.of(Count.ARCHIVED)).isEqualTo(balance.of(Count.REJECTED));
        assertThat(balance.of(Count.LOCK_EXPIRED)).isZero();
        assertThat(carried.numbers().received()).isEqualTo(balance.of(Count.RECEIVED));
    }

    @Test
    void recordsOfAReaderThatLeavesWithoutAcknowledgingAreRedelivered(SharedKafka.Clusters clusters) throws Exception {
        Set<String> taken = new TreeSet<>();
        AtomicReference<Stranger> stranger = new AtomicReference<>();
        Carried.Engines engines = (variant, cluster, topics, group, events) -> {
            stranger.set(new Stranger(cluster, group, topics));
            return Carrier.CLIENT.engine(variant, cluster, topics, group, events);
        };
        Carried carried = Carried.load(
                clusters.one(),
                folder,
                engines,
                """
                topics: { t: {} }
                load:
                  workload: deliver
                  rate: 500/s
                  group: { name: g, protocol: share, acknowledge: explicit }
                warmup: none
                measure: 20s
                """,
                load -> taken.addAll(stranger.get().abandons()),
                topics -> {});
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(taken).isNotEmpty();
        assertAccounted(balance);
        assertThat(balance.of(Count.ARCHIVED)).isZero();
        assertThat(balance.of(Count.REDELIVERED)).isEqualTo(taken.size());
        // No reader of Weir saw the first delivery.
        assertThat(balance.of(Count.REREAD)).isZero();
    }

    @Test
    void aBacklogIsReadToTheLastRecordAsked(SharedKafka.Clusters clusters) throws Exception {
        Carried carried = carry(clusters, """
                topics: { t: { partitions: 2 } }
                load:
                  workload: consume
                  consumers: 2
                  backlog: 6000 records
                  group: { name: g, protocol: share }
                warmup: { operations: 1000 }
                measure: { operations: 3000 }
                """, load -> {});
        assertThat(carried.numbers().received()).isEqualTo(3_000);
        Balance balance = carried.ledger.balance(Steps.FILL);
        assertThat(balance.of(Count.ACKED)).isEqualTo(6_000);
        assertThat(balance.of(Count.RECEIVED) + balance.of(Count.UNREAD) + balance.of(Count.ARCHIVED))
                .isEqualTo(6_000);
        assertThat(balance.of(Count.LOST)).isZero();
    }

    @Test
    @Tag("long")
    void kafkasConsoleShareConsumerReadsAsManyRecords(SharedKafka.Clusters clusters) throws Exception {
        AtomicReference<String> read = new AtomicReference<>();
        Cluster cluster = clusters.one();
        Carried carried = Carried.load(
                cluster,
                folder,
                Carrier.CLIENT,
                """
                topics: { t: { partitions: 2 } }
                load:
                  workload: deliver
                  consumers: 3
                  rate: 1000/s
                  group: { name: g, protocol: share, acknowledge: explicit }
                  outcome: { release: 2%, reject: 1% }
                warmup: none
                measure: 3s
                """,
                load -> {},
                topics -> read.set(consoleRead(cluster, topics.get(0))));
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertAccounted(balance);
        assertThat(balance.of(Count.REJECTED)).isPositive();
        assertThat(read.get()).contains("Processed a total of " + balance.of(Count.ACKED) + " messages");
    }

    private static String consoleRead(Cluster cluster, String topic) {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "console-" + topic);
        AlterConfigOp earliest =
                new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            admin.incrementalAlterConfigs(Map.of(group, List.of(earliest)))
                    .all()
                    .get();
            return KafkaTool.run(
                    folder,
                    "consumer.ConsoleShareConsumer",
                    "--bootstrap-server",
                    cluster.bootstrap(),
                    "--topic",
                    topic,
                    "--group",
                    group.name(),
                    "--timeout-ms",
                    "15000");
        } catch (Exception e) {
            throw new IllegalStateException("reading " + topic, e);
        }
    }

    /** A member of the readers' group that takes records, and leaves without an acknowledgement. */
    private record Stranger(Cluster cluster, String group, List<String> topics) {
        Set<String> abandons() {
            Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
            properties.put("group.id", group);
            properties.put("share.acknowledgement.mode", "explicit");
            Set<String> taken = new TreeSet<>();
            try (KafkaShareConsumer<byte[], byte[]> member =
                    new KafkaShareConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                member.subscribe(topics);
                for (int poll = 0; poll < 150 && taken.isEmpty(); poll++) {
                    for (ConsumerRecord<byte[], byte[]> record : member.poll(Duration.ofMillis(200))) {
                        taken.add(record.partition() + "-" + record.offset());
                    }
                }
            }
            return taken;
        }
    }
}
