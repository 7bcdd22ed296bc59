package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.KnownToWork;
import weir.cluster.Cluster;
import weir.cluster.start.EmbeddedCluster;
import weir.load.Load;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The duties of every engine, on one real broker. */
@ExtendWith(SharedKafka.class)
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EngineContract {
    @TempDir
    protected static Path folder;

    EmbeddedCluster cluster;

    protected abstract Carried.Engines engines();

    EmbeddedCluster cluster(SharedKafka.Clusters clusters) {
        return clusters.one();
    }

    @BeforeAll
    protected void start(SharedKafka.Clusters clusters) {
        cluster = cluster(clusters);
    }

    protected Carried carry(String yaml) throws Exception {
        return carry(yaml, load -> {});
    }

    protected Carried carry(String yaml, Consumer<Load> during) throws Exception {
        return Carried.load(cluster, folder, engines(), yaml, during, topics -> {});
    }

    /** Asserts that every record arrives, with these properties of the producer and of the consumer. */
    protected static void assertDelivers(
            Cluster cluster, Path folder, Carried.Engines engines, String producer, String consumer) throws Exception {
        Carried carried =
                Carried.load(cluster, folder, engines, """
                topics: { a: { partitions: 2 }, b: { partitions: 1 } }
                load: { workload: deliver, rate: max, value: { size: 500B }, producer: { %s }, consumer: { %s } }
                warmup: none
                measure: { operations: 2000 }
                """.formatted(producer, consumer), load -> {}, topics -> {});
        assertWhole(carried.ledger.balance(Steps.MEASURE), 2_000);
    }

    /** Asserts that this number of records was due, and that all of them are where they should be. */
    protected static void assertWhole(Balance balance, long records) {
        assertThat(balance.of(Count.DUE)).isEqualTo(records);
        assertThat(balance.of(Count.ACKED)).isEqualTo(records);
        assertOnce(balance);
    }

    /** Asserts that each sent record is acked and received once. A busy machine may leave a few unsent. */
    public static void assertOnce(Balance balance) {
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.ACKED)).isEqualTo(balance.of(Count.SENT));
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.SENT));
        assertThat(balance.of(Count.LOST)
                        + balance.of(Count.UNREAD)
                        + balance.of(Count.DUPLICATED)
                        + balance.of(Count.REREAD)
                        + balance.of(Count.GHOSTS))
                .isZero();
    }

    @Test
    void everyAckedRecordIsInTheLogOnce() throws Exception {
        Carried carried = carry("""
                topics: { a: { partitions: 3, count: 2 }, b: { partitions: 2 } }
                load: { workload: produce, producers: 2, rate: max, value: { size: 100B } }
                warmup: { operations: 1000 }
                measure: { operations: 5000 }
                """);
        assertWhole(carried.ledger.balance(Steps.MEASURE), 5_000);
        assertThat(carried.ledger.balance(Steps.WARMUP, Steps.MEASURE).of(Count.ACKED))
                .isEqualTo(carried.endOffsets);
        Numbers numbers = carried.numbers();
        assertThat(numbers.acked()).isEqualTo(5_000);
        assertThat(numbers.bytesAcked()).isEqualTo(500_000);
        assertThat(numbers.latency(LatencyKind.RESPONSE).count()).isEqualTo(5_000);
        assertThat(numbers.latency(LatencyKind.BLOCKED).count()).isEqualTo(5_000);
        assertThat(numbers.latency(LatencyKind.E2E).empty()).isTrue();
    }

    @Test
    void aPacedLoadIsDeliveredAtItsRate() throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load: { workload: deliver, producers: 2, consumers: 2, rate: 300/s }
                warmup: 1s
                measure: 3s
                """);
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.of(Count.DUE)).isEqualTo(900);
        // A busy machine leaves the messages unsent that it has not begun at the end.
        assertThat(balance.of(Count.ACKED)).isBetween(810L, 900L);
        assertThat(balance.of(Count.ACKED) + balance.of(Count.UNSENT)).isEqualTo(900);
        assertThat(carried.ledger.balance(Steps.WARMUP, Steps.MEASURE).of(Count.RECEIVED))
                .isEqualTo(carried.endOffsets);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(carried.measured.endNanos() - carried.measured.startNanos()).isEqualTo(3_000_000_000L);
        Numbers numbers = carried.numbers();
        assertThat(numbers.received()).isEqualTo(balance.of(Count.RECEIVED));
        assertThat(numbers.latency(LatencyKind.E2E).count()).isEqualTo(balance.of(Count.RECEIVED));
        assertThat(carried.readings).contains("lag.records", "lag.seconds");
    }

    @Test
    void aBacklogIsWrittenFirstAndReadToTheLastRecordAsked() throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load: { workload: consume, consumers: 2, backlog: 25000 records, value: { size: 200B } }
                warmup: { operations: 5000 }
                measure: { operations: 15000 }
                """);
        assertThat(carried.numbers().received()).isEqualTo(15_000);
        assertThat(carried.numbers().bytesReceived()).isEqualTo(15_000 * 200);
        assertThat(carried.unread).isEqualTo(5_000);
        // Verify reads the rest back.
        assertWhole(carried.ledger.balance(Steps.FILL), 25_000);
    }

    @Test
    void aBacklogThatRunsOutEndsTheStage() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: consume, backlog: 3000 records }
                warmup: none
                measure: 60s
                """);
        assertThat(carried.numbers().received()).isEqualTo(3_000);
        assertThat(carried.measured.endNanos() - carried.measured.startNanos()).isLessThan(50_000_000_000L);
    }

    @Test
    void aBacklogIsReadAtItsPace() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: consume, backlog: 3000 records, rate: 1000/s }
                warmup: none
                measure: 2s
                """);
        assertThat(carried.numbers().received()).isBetween(1_980L, 2_000L);
        assertWhole(carried.ledger.balance(Steps.FILL), 3_000);
    }

    @Test
    void tinyValuesCarryTheirIdentityInAHeader() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: deliver, rate: max, value: { content: sequence } }
                warmup: none
                measure: { operations: 300 }
                """);
        assertWhole(carried.ledger.balance(Steps.MEASURE), 300);
        assertThat(carried.notes).anyMatch(note -> note.contains("header"));
    }

    @Test
    void valuesOfAFileArriveAndAreAccountedFor() throws Exception {
        Files.writeString(folder.resolve("orders.csv"), "1,apple\n2,pear\n3,plum\n");
        Carried carried = carry("""
                topics: { t: { partitions: 2 } }
                load:
                  { workload: deliver, rate: max, key: { column: 2 },
                    value: { file: orders.csv, each: line, pick: random } }
                warmup: none
                measure: { operations: 300 }
                """);
        assertWhole(carried.ledger.balance(Steps.MEASURE), 300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence", "random", "{ skewed: { distinct: 10, exponent: 0.99 } }", "{ column: 1 }"})
    protected void keysAreSent(String key) throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 3 } }
                load: { workload: produce, rate: max, key: %s, value: { content: planes } }
                warmup: none
                measure: { operations: 300 }
                """.formatted(key));
        assertWhole(carried.ledger.balance(Steps.MEASURE), 300);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.REORDERED)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"one at a time", "16 at a time"})
    protected void aClosedLoopWaitsForItsAnswers(String rate) throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: produce, rate: %s, producer: { linger.ms: 0 } }
                warmup: none
                measure: { operations: 200 }
                """.formatted(rate));
        assertWhole(carried.ledger.balance(Steps.MEASURE), 200);
        assertThat(carried.numbers().latency(LatencyKind.LATE).maxMillis()).isLessThan(0.002);
    }

    @Test
    void stoppedLoadKeepsItsCounts() throws Exception {
        Carried carried = new Carried();
        String yaml = """
                topics: { t: {} }
                load: { workload: produce, rate: 1000/s }
                warmup: none
                measure: 60s
                """;
        carried.carry(
                cluster,
                folder,
                engines(),
                yaml,
                load -> {
                    TimeLimit limit = MachineClock.within(Duration.ofSeconds(50));
                    while (carried.numbers().acked() == 0 && !limit.passed()) {
                        LockSupport.parkNanos(10_000_000);
                    }
                    load.stop();
                },
                topics -> {});
        assertThat(carried.measured.stopped()).isTrue();
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.of(Count.ACKED)).isBetween(1L, 30_000L);
        assertThat(balance.of(Count.ACKED)).isEqualTo(carried.numbers().acked());
        assertOnce(balance);
    }

    @KnownToWork({
        "records: of other programs with null or any key, value and headers, at any time; client and wire",
        "records: compressed with gzip, snappy, lz4 and zstd, or of transactions, aborted ones too; client and wire"
    })
    @Test
    void recordsOfOtherProducersAreForeign() throws Exception {
        Strangers strangers = new Strangers(cluster);
        Carried carried = carry("""
                topics: { %s: { partitions: 2 } }
                load: { workload: deliver, rate: 500/s, consumers: 2 }
                warmup: none
                measure: 3s
                """.formatted(strangers.topic), load -> strangers.write());
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertOnce(balance);
        assertThat(balance.of(Count.FOREIGN)).isEqualTo(strangers.written());
        assertThat(carried.numbers().received()).isEqualTo(balance.of(Count.RECEIVED));
    }

    @Test
    void foreignTopicIsReadAndCounted() throws Exception {
        Strangers strangers = new Strangers(cluster).create();
        strangers.write();
        Carried carried = carry("""
                cluster: { bootstrap: "%s" }
                topics: { %s: { existing: true } }
                load: { workload: consume }
                warmup: none
                measure: { operations: 100000 }
                """.formatted(cluster.bootstrap(), strangers.topic));
        assertThat(carried.numbers().received()).isEqualTo(strangers.written());
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.FOREIGN)).isEqualTo(strangers.written());
    }

    @ParameterizedTest
    @ValueSource(strings = {"produce", "deliver"})
    @KnownToWork("cluster: partitions that are added to a topic while a load runs; client and wire")
    protected void partitionThatIsAddedIsWrittenReadAndAccountedFor(String workload) throws Exception {
        String topic = "grown" + Long.toHexString(System.nanoTime());
        addedWhile(topic, """
                topics: { %s: {}, other: {} }
                load:
                  { workload: %s, rate: 400/s, key: sequence, producer: { metadata.max.age.ms: 300 },
                    consumer: { metadata.max.age.ms: 300 } }
                warmup: none
                measure: 3s
                """.formatted(topic, workload));
    }

    /** Adds a partition to a topic with this prefix while a load runs. */
    protected void addedWhile(String topic, String yaml) throws Exception {
        AtomicLong written = new AtomicLong();
        Carried carried = Carried.load(
                cluster,
                folder,
                engines(),
                yaml,
                load -> {
                    LockSupport.parkNanos(500_000_000);
                    grow(topic);
                },
                names -> written.set(end(new TopicPartition(name(names, topic), 1))));
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertOnce(balance);
        assertThat(balance.of(Count.ACKED) + balance.of(Count.UNSENT)).isEqualTo(1_200);
        assertThat(written.get()).isPositive();
        assertThat(balance.of(Count.ACKED)).isEqualTo(carried.endOffsets);
        assertThat(carried.events).anyMatch(event -> event.matches("partitions were added: .*-" + topic + "-1"));
    }

    private static String name(Collection<String> names, String end) {
        return names.stream().filter(any -> any.endsWith(end)).findFirst().orElseThrow();
    }

    private void grow(String topic) {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            String name = name(admin.listTopics().names().get(), topic);
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(2)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("adding a partition", e);
        }
    }

    private long end(TopicPartition partition) {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("asking for an end", e);
        }
    }

    /** The id of the topic reveals that it was made again. Topics have ids since Kafka 2.8. */
    void assertTopicMadeAgainEndsTheLoad() {
        String topic = "anew" + Long.toHexString(System.nanoTime());
        assertThatThrownBy(() -> carry("""
                topics: { %s: {} }
                load: { workload: produce, rate: 100/s }
                warmup: none
                measure: 30s
                """.formatted(topic), load -> makeAgain(topic)))
                .hasMessageMatching("topic '.*" + topic + "' was deleted (and created again )?during the run");
    }

    private void makeAgain(String topic) {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            String name = name(admin.listTopics().names().get(), topic);
            admin.deleteTopics(List.of(name)).all().get();
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        } catch (InterruptedException | ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("making a topic again", e);
            }
        }
    }

    @Test
    void stepsAreCountedSeparately() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: deliver, rate: { steps: [200/s for 1s, 400/s for 1s], rest: 500ms } }
                warmup: none
                measure: null
                """);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.DUE)).isEqualTo(200);
        assertThat(carried.ledger.balance(Steps.MEASURE + 1).of(Count.DUE)).isEqualTo(400);
        assertOnce(carried.ledger.balance(Steps.MEASURE, Steps.MEASURE + 1));
        assertThat(carried.measured.steps()).hasSize(2);
    }

    @Test
    protected void refusedRecordsAreCountedAsFailed() throws Exception {
        Carried carried = carry("""
                topics: { t: { config: { max.message.bytes: 2000 } } }
                load: { workload: produce, rate: one at a time, value: { size: { 100B: 50%, 10000B: 50% } } }
                warmup: none
                measure: { operations: 40 }
                """);
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.FAILED)).isPositive();
        assertThat(balance.of(Count.ACKED)).isPositive();
        assertThat(balance.of(Count.ACKED) + balance.of(Count.FAILED)).isEqualTo(40);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(balance.of(Count.GHOSTS)).isZero();
        // A failure counts as the time after which the client abandons a record, two minutes.
        assertThat(carried.numbers().latency(LatencyKind.RESPONSE).maxMillis()).isGreaterThan(119_000);
        assertThat(carried.events).anyMatch(event -> event.contains("failed"));
    }

    @Test
    protected void anEngineExplainsItself() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: deliver, rate: 1000/s, producer: { compression.type: lz4 } }
                warmup: 1s
                measure: 2s
                """);
        assertThat(carried.readings)
                .contains(
                        "producer.batch-size-avg",
                        "producer.records-per-request-avg",
                        "producer.compression-rate-avg",
                        "producer.request-latency-avg",
                        "producer.record-queue-time-avg",
                        "consumer.fetch-latency-avg",
                        "consumer.records-per-request-avg");
    }
}
