package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.cluster.Cluster;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Journal;
import weir.host.ProcessAction;
import weir.load.Load;
import weir.load.client.ClientRefusals;
import weir.load.engine.Engine;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/** Operations of several records and transactions on three real brokers. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionIT {
    private static final String TOPICS = """
            topics:
              left: { partitions: 2, replication: 3, config: { min.insync.replicas: 2 } }
              right: { partitions: 1, replication: 3, config: { min.insync.replicas: 2 } }
            warmup: { operations: 5 }
            drain: 30s
            """;

    @TempDir
    static Path folder;

    private EmbeddedCluster cluster;
    /** The prefix of the ids of the running load. */
    private final AtomicReference<String> ids = new AtomicReference<>("");

    @BeforeAll
    void start(SharedKafka.Clusters clusters) {
        cluster = clusters.three();
    }

    private Engine engine(
            Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
        ids.set(group);
        return Carrier.CLIENT.engine(variant, cluster, topics, group, events);
    }

    private Carried carry(String yaml, Consumer<Load> during) throws Exception {
        return Carried.load(
                cluster, folder, this::engine, "cluster: { brokers: 3 }\n" + TOPICS + yaml, during, t -> {});
    }

    private static Balance assertWhole(Carried carried) {
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        Atomicity atomicity = carried.ledger.atomicity();
        assertThat(atomicity.violations()).isEmpty();
        // Without transactions there is nothing to judge.
        assertThat(atomicity.torn()).isIn(0L, null);
        assertThat(atomicity.abortedReads()).isIn(0L, null);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.LOST)
                        + balance.of(Count.UNREAD)
                        + balance.of(Count.DUPLICATED)
                        + balance.of(Count.REORDERED))
                .isZero();
        return balance;
    }

    private static double mean(Carried carried, LatencyKind metric) {
        return carried.numbers().latency(metric).meanMillis();
    }

    @Test
    void writeOperationSendsOneRecordToEachTopic() throws Exception {
        Carried plain = carry("""
                load: { workload: write, rate: one at a time, producers: 2, producer: { enable.idempotence: false } }
                measure: { operations: 200 }
                """, load -> {});
        assertThat(assertWhole(plain).of(Count.ACKED)).isEqualTo(400);
        assertThat(plain.numbers().count(Count.OPERATIONS)).isEqualTo(200);
        Carried each = carry("""
                load: { workload: write, rate: one at a time, transaction: { each: operation, abort: 20% } }
                measure: { operations: 60 }
                """, load -> {});
        Balance balance = assertWhole(each);
        assertThat(balance.of(Count.ABORTED)).isBetween(4L, 60L);
        assertThat(balance.of(Count.ACKED) + balance.of(Count.ABORTED)).isEqualTo(120);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
        double parts = mean(each, LatencyKind.BEGIN) + mean(each, LatencyKind.SEND) + mean(each, LatencyKind.COMMIT);
        assertThat(parts).isCloseTo(mean(each, LatencyKind.SERVICE), within(0.01 * parts));
        assertThat(mean(each, LatencyKind.TRANSACTION)).isCloseTo(parts, within(0.01 * parts));
        assertThat(each.numbers().latency(LatencyKind.ABORT).count()).isEqualTo(balance.of(Count.ABORTED) / 2);
    }

    @Test
    void readersOfCommittedRecordsSeeWholeTransactionsWhileTheyAreWritten() throws Exception {
        // The number of transactions in 3 s depends on the machine; with records: it is at least 30.
        for (String form : List.of("every: 50ms", "records: 30, abort: 40%")) {
            Carried carried = carry("""
                    load:
                      workload: deliver
                      rate: 300/s
                      transaction: { %s }
                      consumer: { isolation.level: read_committed }
                    measure: { operations: 900 }
                    """.formatted(form), load -> {});
            Balance balance = assertWhole(carried);
            assertThat(balance.of(Count.ACKED) + balance.of(Count.ABORTED)).isEqualTo(900);
            assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
            assertThat(balance.of(Count.ABORTED) > 0).isEqualTo(form.contains("abort"));
            assertThat(carried.readings).anyMatch(reading -> reading.contains("open.records"));
            assertThat(carried.numbers().latency(LatencyKind.E2E).count()).isEqualTo(balance.of(Count.RECEIVED));
        }
    }

    @Test
    void aStreamCommitsEachOffsetWithItsRecord() throws Exception {
        for (String form :
                List.of("transaction: each", "transaction: { records: 20, abort: 10% }", "commit: each record")) {
            Carried carried = carry("""
                    load:
                      workload: stream
                      from: left
                      to: right
                      backlog: 300 records
                      rate: one at a time
                      value: { size: 100B, content: letters }
                      consumer: { max.poll.records: 10 }
                      %s
                    measure: { operations: 60 }
                    """.formatted(form), load -> {});
            Balance balance = assertWhole(carried);
            Atomicity atomicity = carried.ledger.atomicity();
            assertThat(balance.of(Count.ACKED) + balance.of(Count.ABORTED)).isEqualTo(60);
            assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
            assertThat(atomicity.offsetsWithoutRecord()).isZero();
            assertThat(atomicity.recordsWithoutOffset()).isZero();
            assertThat(atomicity.writtenTwice()).isZero();
            double parts = mean(carried, LatencyKind.SEND)
                    + mean(carried, LatencyKind.OFFSETS)
                    + (form.startsWith("transaction")
                            ? mean(carried, LatencyKind.BEGIN) + mean(carried, LatencyKind.COMMIT)
                            : 0);
            assertThat(mean(carried, LatencyKind.TRANSACTION)).isCloseTo(parts, within(0.01 * parts));
            assertThat(carried.numbers().latency(LatencyKind.FETCH).count()).isPositive();
        }
    }

    @Test
    void streamsOfAGroupShareTheirSource() throws Exception {
        Carried carried = carry("""
                load:
                  workload: stream
                  from: left
                  to: right
                  backlog: 300 records
                  producers: 2
                  group: { name: shared, protocol: consumer }
                  rate: one at a time
                  consumer: { max.poll.records: 10 }
                  transaction: { records: 10 }
                measure: { operations: 100 }
                """, load -> {});
        Balance balance = assertWhole(carried);
        Atomicity atomicity = carried.ledger.atomicity();
        assertThat(balance.of(Count.ACKED) + balance.of(Count.FAILED)).isEqualTo(100);
        assertThat(atomicity.offsetsWithoutRecord() + atomicity.recordsWithoutOffset() + atomicity.writtenTwice())
                .isZero();
    }

    @Test
    void fencedProducerReclaimsItsIdAndContinues() throws Exception {
        // Fenced within a transaction: brokers tell a producer fenced during its commit of an invalid state.
        Carried carried = carry("""
                load: { workload: write, rate: 10/s, transaction: { every: 2s } }
                measure: 4s
                """, load -> {
            LockSupport.parkNanos(1_000_000_000L);
            Map<String, Object> another = new HashMap<>(cluster.clientProperties());
            another.put("transactional.id", ids.get() + "-0");
            another.put("key.serializer", ByteArraySerializer.class.getName());
            another.put("value.serializer", ByteArraySerializer.class.getName());
            try (KafkaProducer<byte[], byte[]> fencing = new KafkaProducer<>(another)) {
                fencing.initTransactions();
            }
        });
        Balance balance = assertWhole(carried);
        assertThat(carried.ledger.atomicity().fenced())
                .as("%s, %s", carried.events, balance)
                .isEqualTo(1);
        assertThat(balance.of(Count.FAILED)).isPositive();
        assertThat(balance.of(Count.ACKED) + balance.of(Count.FAILED) + balance.of(Count.UNSENT))
                .isEqualTo(80);
        assertThat(carried.events).anyMatch(event -> event.startsWith("a producer was fenced and restarts"));
    }

    @Test
    void fencedProducerWithAUserChosenIdEndsTheLoad() {
        assertThatThrownBy(() -> carry("""
                        load: { workload: write, rate: 10/s, transaction: { every: 2s }, producer: { transactional.id: mine } }
                        measure: 4s
                        """, load -> {
                    LockSupport.parkNanos(1_000_000_000L);
                    Map<String, Object> another = new HashMap<>(cluster.clientProperties());
                    another.put("transactional.id", "mine");
                    try (KafkaProducer<byte[], byte[]> fencing =
                            new KafkaProducer<>(another, new ByteArraySerializer(), new ByteArraySerializer())) {
                        fencing.initTransactions();
                    }
                }))
                .satisfies(failed -> assertThat(ClientRefusals.of(failed)).hasValueSatisfying(refused -> {
                    assertThat(refused.fenced()).isTrue();
                    assertThat(refused)
                            .hasMessageStartingWith("transactional id 'mine' was taken by another producer (");
                }));
    }

    @Test
    void idsWithAnOpenTransactionAreFound() throws Exception {
        Map<String, Object> other = new HashMap<>(cluster.clientProperties());
        other.put("transactional.id", "weir-taken-1-0");
        other.put("key.serializer", ByteArraySerializer.class.getName());
        other.put("value.serializer", ByteArraySerializer.class.getName());
        try (Journal journal = Journal.open(folder.resolve("state"));
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(other)) {
            SortedMap<String, TopicSpec> one = new TreeMap<>();
            one.put("taken", new TopicSpec(1, 1, 1, false, new TreeMap<>()));
            topics.create(one);
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("taken", new byte[1])).get();
            assertThat(topics.transactionalIds().inUse("weir-taken-1-")).containsExactly("weir-taken-1-0");
            assertThat(topics.transactionalIds().inUse("weir-taken-2-")).isEmpty();
            assertThat(topics.feature("transaction.version")).isEqualTo(2);
            producer.abortTransaction();
            topics.delete();
        }
    }

    @Test
    @Tag("long")
    void transactionsStayAtomicWhenABrokerIsKilled() throws Exception {
        Carried carried = carry(
                """
                load: { workload: write, rate: 10/s, producers: 2, transaction: { each: operation, abort: 5% } }
                measure: 6s
                """,
                load -> {
                    LockSupport.parkNanos(2_000_000_000L);
                    cluster.act(ProcessAction.KILL, 3);
                });
        cluster.restart(3);
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        Atomicity atomicity = carried.ledger.atomicity();
        assertThat(atomicity.violations()).isEmpty();
        assertThat(atomicity.torn()).isZero();
        assertThat(atomicity.transactions()).isGreaterThan(15);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.LOST) + balance.of(Count.DUPLICATED)).isZero();
    }
}
