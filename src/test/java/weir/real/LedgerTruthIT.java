package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.cluster.relay.Relay;
import weir.cluster.relay.Relay.Direction;
import weir.cluster.relay.RelayEffect;
import weir.cluster.start.EmbeddedCluster;
import weir.host.mbean.LocalMBeans;
import weir.load.Load;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Numbers;
import weir.measure.Steps;

/** The ledger's exact counts of messages under a broken network, a foreign writer or a slow reader. */
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LedgerTruthIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    static Path folder;

    private RelayedKafka kafka;
    private EmbeddedCluster cluster;
    private Relay relay;
    private final AtomicReference<RelayEffect> slow = new AtomicReference<>();

    @BeforeAll
    void start() {
        kafka = RelayedKafka.start(folder);
        cluster = kafka.cluster();
        relay = kafka.relay();
    }

    @AfterAll
    void stop() {
        kafka.close();
    }

    private record Read(Carried carried, Log log) {
        Balance balance() {
            return carried.ledger.balance(Steps.MEASURE);
        }
    }

    private Read carry(Carried.Engines engines, String yaml, Consumer<Load> during) throws Exception {
        AtomicReference<Log> log = new AtomicReference<>();
        Carried carried = Carried.load(
                cluster, folder, engines, yaml, during, topics -> log.set(Log.read(cluster, topics.get(0))));
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).as(balance.toString()).isTrue();
        return new Read(carried, log.get());
    }

    /** Discards replies for 100 ms, or until there was one: a busy broker may not answer for as long. */
    private void loseReplies() {
        try (RelayEffect swallow = relay.discardReplies()) {
            do {
                LockSupport.parkNanos(SECOND / 10);
            } while (swallow.bytes() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void acknowledgementsThatAreLostMakeDuplicatesAndEachIsCounted(Carrier carrier) throws Exception {
        Read read = carry(carrier.producersBehind(cluster), """
                topics: { t: { partitions: 2 } }
                load:
                  workload: deliver
                  rate: 2000/s
                  producer: { acks: all, enable.idempotence: false, retry.backoff.ms: 20, reconnect.backoff.ms: 20 }
                warmup: none
                measure: 3s
                """, load -> {
            for (int i = 0; i < 3; i++) {
                LockSupport.parkNanos(SECOND / 2);
                loseReplies();
            }
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.DUPLICATED)).isPositive().isEqualTo(read.log.duplicates());
        assertThat(balance.of(Count.ACKED)).isEqualTo(balance.of(Count.SENT)).isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.REORDERED)).isEqualTo(read.log.reordered());
        assertThat(balance.of(Count.LOST) + balance.of(Count.REREAD) + balance.of(Count.GHOSTS))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void failedRecordsFoundInTheLogAreGhosts(Carrier carrier) throws Exception {
        Read read = carry(carrier.producersBehind(cluster), """
                topics: { t: { partitions: 2 } }
                load:
                  workload: produce
                  rate: 2000/s
                  producer: { acks: all, enable.idempotence: false, retries: 0, reconnect.backoff.ms: 20 }
                warmup: none
                measure: 2s
                """, load -> {
            LockSupport.parkNanos(SECOND);
            loseReplies();
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.FAILED)).isPositive();
        assertThat(balance.of(Count.UNRESOLVED)).isZero();
        // All acked messages are there, so all other messages in the log had failed.
        assertThat(balance.of(Count.LOST)).isZero();
        assertThat(balance.of(Count.GHOSTS)).isPositive().isEqualTo(read.log.distinct() - balance.of(Count.ACKED));
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.DUPLICATED)).isZero().isEqualTo(read.log.duplicates());
    }

    @ParameterizedTest
    @EnumSource
    void networkCutWithoutIdempotenceCountsEachReorderedMessage(Carrier carrier) throws Exception {
        Read read = carry(carrier.producersBehind(cluster), """
                topics: { t: {} }
                load:
                  workload: deliver
                  rate: 2000/s
                  producer:
                    { acks: all, enable.idempotence: false, max.in.flight.requests.per.connection: 5, linger.ms: 0,
                      batch.size: 4096, retry.backoff.ms: 20, reconnect.backoff.ms: 20 }
                warmup: none
                measure: 3s
                """, load -> {
            for (int i = 0; i < 3; i++) {
                LockSupport.parkNanos(SECOND / 2);
                // Messages that left and did not arrive are gone. The client sends them again, the last first.
                cutWhatHasLeft();
            }
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.REORDERED)).isEqualTo(read.log.reordered());
        if (carrier == Carrier.CLIENT) {
            assertThat(balance.of(Count.REORDERED)).isPositive();
        }
        assertThat(balance.of(Count.DUPLICATED)).isEqualTo(read.log.duplicates());
        assertThat(balance.of(Count.RECEIVED))
                .isEqualTo(balance.of(Count.ACKED))
                .isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.LOST)).isZero();
    }

    private void cutWhatHasLeft() {
        RelayEffect stall = relay.stall(Direction.REQUESTS);
        LockSupport.parkNanos(SECOND / 10);
        relay.cut();
        stall.close();
    }

    @ParameterizedTest
    @EnumSource
    void networkCutWithAcksZeroCountsEachLostMessage(Carrier carrier) throws Exception {
        Read read = carry(carrier.producersBehind(cluster), """
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, rate: 2000/s, producer: { acks: 0, reconnect.backoff.ms: 20 } }
                warmup: none
                measure: 3s
                """, load -> {
            for (int i = 0; i < 3; i++) {
                LockSupport.parkNanos(SECOND / 2);
                cutWhatHasLeft();
            }
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.FAILED) + balance.of(Count.UNRESOLVED)).isZero();
        assertThat(balance.of(Count.LOST)).isPositive().isEqualTo(balance.of(Count.ACKED) - read.log.distinct());
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.UNREAD) + balance.of(Count.DUPLICATED) + read.log.duplicates())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void recordsASlowReaderDidNotReachAreUnread(Carrier carrier) throws Exception {
        Read read = carry(carrier.readersBehind(cluster), """
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, rate: 2000/s, value: { size: 1KiB }, consumer: { fetch.max.bytes: 20000 } }
                warmup: none
                measure: 2s
                drain: 1s
                verify: false
                """, load -> {
            RelayEffect limit = relay.limit(Direction.REPLIES, 200_000);
            LockSupport.parkNanos(2 * SECOND);
            slow.set(limit);
        });
        slow.get().close();
        Balance balance = read.balance();
        assertThat(balance.of(Count.ACKED)).isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.UNREAD)).isPositive().isEqualTo(read.log.distinct() - balance.of(Count.RECEIVED));
        assertThat(balance.of(Count.LOST)).isZero();
    }

    @Test
    void recordsAGroupReadsTwiceAreReread() throws Exception {
        AtomicLong readBefore = new AtomicLong();
        Read read = carry(Carrier.CLIENT, """
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, rate: 1000/s, group: { name: g, protocol: classic },
                          consumer: { heartbeat.interval.ms: 300 } }
                warmup: none
                measure: 3s
                """, load -> {
            LockSupport.parkNanos(SECOND);
            readBefore.set(resetOnePartition());
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.REREAD)).isPositive().isEqualTo(readBefore.get());
        assertThat(balance.of(Count.DUPLICATED)).isZero().isEqualTo(read.log.duplicates());
        assertThat(balance.of(Count.RECEIVED))
                .isEqualTo(balance.of(Count.ACKED))
                .isEqualTo(read.log.distinct());
        assertThat(balance.of(Count.REORDERED)).isZero();
    }

    /** Joins the group, resets one partition to its beginning, and leaves. Returns the position before the reset. */
    private long resetOnePartition() {
        String topic = topics().get(0);
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("group.id", topic.replaceAll("weir-(\\d+)-.*", "weir-group-$1"));
        properties.put("enable.auto.commit", "false");
        properties.put("auto.offset.reset", "earliest");
        properties.put("max.poll.records", "1");
        try (KafkaConsumer<byte[], byte[]> guest =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            guest.subscribe(List.of(topic));
            while (guest.assignment().size() != 1) {
                guest.poll(Duration.ofMillis(50));
            }
            TopicPartition mine = guest.assignment().iterator().next();
            OffsetAndMetadata committed =
                    guest.committed(java.util.Set.of(mine)).get(mine);
            guest.commitSync(Map.of(mine, new OffsetAndMetadata(0)));
            return committed == null ? 0 : committed.offset();
        }
    }

    private List<String> topics() {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> name.startsWith("weir-"))
                    .toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void recordsRemovedBeforeReadingCountAsExpired(Carrier carrier) throws Exception {
        AtomicLong removed = new AtomicLong();
        Read read = carry(carrier, """
                topics: { t: {} }
                load: { workload: produce, rate: 1000/s }
                warmup: none
                measure: 2s
                """, load -> {
            LockSupport.parkNanos(SECOND);
            removed.set(removeSome());
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.EXPIRED)).isPositive().isEqualTo(removed.get());
        assertThat(balance.of(Count.RECEIVED))
                .isEqualTo(read.log.distinct())
                .isEqualTo(balance.of(Count.ACKED) - removed.get());
        assertThat(balance.of(Count.LOST) + balance.of(Count.UNREAD)).isZero();
    }

    /** Removes all records so far. Returns their number. */
    private long removeSome() {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            TopicPartition partition = new TopicPartition(topics().get(0), 0);
            return admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(300)))
                    .lowWatermarks()
                    .get(partition)
                    .get()
                    .lowWatermark();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final String COMMITTED = """
            topics: { t: {} }
            load: { workload: deliver, rate: 1000/s, consumer: { isolation.level: read_committed } }
            warmup: none
            measure: 2s
            drain: 3s
            """;

    private KafkaProducer<byte[], byte[]> foreigner() {
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("transactional.id", "foreign");
        KafkaProducer<byte[], byte[]> foreigner =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        foreigner.initTransactions();
        return foreigner;
    }

    private static void write(KafkaProducer<byte[], byte[]> foreigner, String topic, int records) {
        foreigner.beginTransaction();
        for (int i = 0; i < records; i++) {
            var unused = foreigner.send(new ProducerRecord<>(topic, new byte[50]));
        }
        foreigner.flush();
    }

    @ParameterizedTest
    @EnumSource
    void foreignRecordsAreForeignAndAbortedOnesAreNotRead(Carrier carrier) throws Exception {
        Read read = carry(carrier, COMMITTED, load -> {
            LockSupport.parkNanos(SECOND / 2);
            try (KafkaProducer<byte[], byte[]> foreigner = foreigner()) {
                String topic = topics().get(0);
                write(foreigner, topic, 70);
                foreigner.commitTransaction();
                write(foreigner, topic, 50);
                foreigner.abortTransaction();
            }
        });
        Balance balance = read.balance();
        assertThat(balance.of(Count.FOREIGN)).isEqualTo(70);
        assertThat(balance.of(Count.RECEIVED))
                .isEqualTo(balance.of(Count.ACKED))
                .isEqualTo(balance.of(Count.SENT));
        assertThat(balance.of(Count.LOST)
                        + balance.of(Count.UNREAD)
                        + balance.of(Count.EXPIRED)
                        + balance.of(Count.DUPLICATED))
                .isZero();
        // The two markers count only as offsets.
        assertThat(read.carried.endOffsets).isEqualTo(balance.of(Count.ACKED) + 70 + 50 + 2);
    }

    @ParameterizedTest
    @EnumSource
    void recordsBehindAnOpenTransactionAreUnread(Carrier carrier) throws Exception {
        List<KafkaProducer<byte[], byte[]>> open = new ArrayList<>();
        Read read = carry(carrier, COMMITTED, load -> {
            LockSupport.parkNanos(SECOND / 2);
            KafkaProducer<byte[], byte[]> foreigner = foreigner();
            write(foreigner, topics().get(0), 1);
            open.add(foreigner);
        });
        open.forEach(KafkaProducer::close);
        Balance balance = read.balance();
        // On a busy machine the last messages may be too late to be sent.
        assertThat(balance.of(Count.ACKED) + balance.of(Count.UNSENT)).isEqualTo(2_000);
        // Readers of committed records stop at the first record of the open transaction.
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(read.carried.endOffsets);
        assertThat(balance.of(Count.UNREAD))
                .isPositive()
                .isEqualTo(balance.of(Count.ACKED) - balance.of(Count.RECEIVED));
        assertThat(balance.of(Count.LOST)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void countsBytesAndRatesAreThoseOfTheBroker(Carrier carrier) throws Exception {
        AtomicReference<Counters> counters = new AtomicReference<>();
        AtomicLong stored = new AtomicLong();
        Carried carried = Carried.load(cluster, folder, carrier, """
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, rate: 3000/s, value: { size: 500B }, producer: { linger.ms: 0 } }
                warmup: none
                measure: 4s
                """, load -> {}, topics -> {
            counters.set(counters(topics.get(0)));
            stored.set(stored(topics.get(0)));
        });
        Numbers numbers = carried.numbers();
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        // On a busy machine the last message may be too late to be sent.
        assertThat(balance.of(Count.ACKED) + balance.of(Count.UNSENT)).isEqualTo(12_000);
        assertThat(balance.of(Count.ACKED)).isEqualTo(carried.endOffsets);
        assertThat(counters.get().messages()).isEqualTo(balance.of(Count.ACKED));
        assertThat(numbers.bytesAcked())
                .isEqualTo(500 * balance.of(Count.ACKED))
                .isEqualTo(numbers.bytesReceived());
        // The broker counts whole batches: 61 bytes for each, and 7 or more for each record.
        assertThat(counters.get().bytes()).isEqualTo(stored.get());
        assertThat(counters.get().bytes() - numbers.bytesAcked())
                .isBetween(7 * balance.of(Count.ACKED), (61 + 20) * balance.of(Count.ACKED));
        double seconds = (carried.measured.endNanos() - carried.measured.startNanos()) / 1e9;
        // Messages that a stall at the end delays are acked after it.
        assertThat(numbers.count(Count.ACKED_DURING) / seconds).isBetween(2_700.0, 3_000.0);
    }

    private Counters counters(String topic) {
        try {
            return Counters.of(cluster.brokers().get(0).pid(), topic);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the bytes of the segments on disk. */
    private long stored(String topic) {
        try (Stream<Path> files = Files.walk(cluster.brokers().get(0).data())) {
            long bytes = 0;
            for (Path file : files.filter(f -> f.toString().endsWith(".log")
                            && f.getParent().getFileName().toString().startsWith(topic + "-"))
                    .toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The broker's own counters of a topic. */
    record Counters(long messages, long bytes) {
        static Counters of(long pid, String topic) throws Exception {
            try (LocalMBeans mbeans = LocalMBeans.of(pid)) {
                MBeanServerConnection broker = mbeans.connection();
                return new Counters(count(broker, "MessagesInPerSec", topic), count(broker, "BytesInPerSec", topic));
            }
        }

        private static long count(MBeanServerConnection broker, String name, String topic) throws Exception {
            ObjectName bean = new ObjectName("kafka.server:type=BrokerTopicMetrics,name=" + name + ",topic=" + topic);
            if (broker.getAttribute(bean, "Count") instanceof Number count) {
                return count.longValue();
            }
            throw new IOException(bean + " has no count");
        }
    }
}
