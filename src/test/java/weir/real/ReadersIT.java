package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.start.EmbeddedCluster;
import weir.load.read.ReaderActivity;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.measure.Steps;
import weir.pace.Pacer;
import weir.real.SharedKafka.Clusters;

/** Readers of a real broker that work, join and leave. */
@ExtendWith(SharedKafka.class)
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadersIT {
    private static final double SESSION_MILLIS = 3_000;

    @TempDir
    static Path folder;

    private EmbeddedCluster cluster;

    @BeforeAll
    void start(Clusters clusters) {
        cluster = clusters.of(Kafkas.of("4.4.0", 1)
                .broker("group.initial.rebalance.delay.ms", "0")
                .broker("group.min.session.timeout.ms", "1000")
                .broker("group.consumer.min.session.timeout.ms", "1000")
                .broker("group.consumer.session.timeout.ms", "3000")
                .broker("group.consumer.min.heartbeat.interval.ms", "100")
                .broker("group.consumer.heartbeat.interval.ms", "500"));
    }

    private Carried carry(String yaml) throws Exception {
        return Carried.load(cluster, folder, Carrier.CLIENT, yaml, load -> {}, topics -> {});
    }

    private static String group(String protocol) {
        return "group: { name: g, protocol: " + protocol + " }"
                + (protocol.equals("classic")
                        ? ", consumer: { session.timeout.ms: 3000, heartbeat.interval.ms: 500 }"
                        : "");
    }

    @ParameterizedTest
    @CsvSource({"auto, 1", "each batch, 1", "each record, 1", "none, 1", "each batch, 2"})
    void readersReachTheRateOfTheirWork(String commit, int readers) throws Exception {
        AtomicLong waits = new AtomicLong();
        Carried carried = Carried.load(
                cluster,
                folder,
                Carrier.CLIENT,
                """
                topics: { t: { partitions: 4 } }
                load: { workload: deliver, rate: 600/s, consumers: %d, work: 5ms, commit: %s, group: g }
                warmup: 2s
                measure: 4s
                drain: 1s
                """.formatted(readers, commit),
                load -> waits.set(waitsIn4s()),
                topics -> {});
        double rate = carried.numbers().count(Count.RECEIVED_DURING) / 4.0;
        double possible = readers * waits.get() / 4.0;
        if (commit.equals("each record")) {
            // A commit after each record takes its own time.
            assertThat(rate).isBetween(0.1 * possible, possible);
        } else {
            assertThat(rate).isCloseTo(possible, within((waits.get() > 760 ? 0.05 : 0.1) * possible));
        }
        assertThat(rate).isLessThan(1.01 * readers * 200);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"partition", "key", "any"})
    void threadsMultiplyTheRateOfAReader(String by) throws Exception {
        AtomicLong waits = new AtomicLong();
        Carried carried = Carried.load(
                cluster, folder, Carrier.CLIENT, """
                topics: { t: { partitions: 8 } }
                load: { workload: deliver, rate: 900/s, key: random, work: 5ms, commit: each batch, group: g,
                  threads: { count: 2, by: %s } }
                warmup: 2s
                measure: 4s
                drain: 1s
                """.formatted(by), load -> waits.set(waitsIn4s()), topics -> {});
        assertThat(carried.numbers().count(Count.RECEIVED_DURING) / 4.0)
                .isCloseTo(2 * waits.get() / 4.0, within(0.1 * waits.get()));
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.REORDERED)).isZero();
        assertThat(carried.ofReaders)
                .filteredOn(reading -> reading.metric().equals(ReaderActivity.OVERLAPS))
                .allMatch(reading -> by.equals("any") || reading.value() == 0);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
    }

    @Test
    void readersWithThreadsHandOverTheirPartitionsWithoutALossOrASecondRead() throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 6 } }
                load: { workload: deliver, rate: 300/s, consumers: 2, key: random, work: 3ms, commit: each batch, group: g,
                  threads: { count: 3, by: key } }
                warmup: none
                measure: 8s
                during: { join: { at: 2s, for: 3s, consumers: +1 } }
                """);
        EngineContract.assertOnce(carried.ledger.balance(Steps.MEASURE));
        assertThat(carried.events).anyMatch(event -> event.startsWith("rebalance: reader 2 got"));
    }

    /** Returns how often a thread of this busy machine can wait 5 ms in 4 s: 800 times on a quiet machine. */
    private static long waitsIn4s() {
        Pacer pacer = new Pacer(System::nanoTime);
        long end = System.nanoTime() + 4_000_000_000L;
        long waits = 0;
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            pacer.await(now + 5_000_000);
            waits++;
        }
        return waits;
    }

    /** The times between two polls with records, of all clients. */
    public static final class PollGaps implements ConsumerInterceptor<Object, Object> {
        static final List<Gap> ALL = new CopyOnWriteArrayList<>();
        private String client = "";
        private long last;

        record Gap(String client, long endNanos, double millis) {}

        @Override
        public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
            long now = System.nanoTime();
            if (last != 0 && now - last > 1_000_000) {
                ALL.add(new Gap(client, now, (now - last) / 1e6));
            }
            last = now;
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {
            client = String.valueOf(configs.get("client.id"));
        }
    }

    @Test
    void pausesOfAJoinAgreeWithAListenerInTheConsumers() throws Exception {
        PollGaps.ALL.clear();
        Carried carried = carry("""
                topics: { t: { partitions: 6 } }
                load: { workload: deliver, rate: 600/s, consumers: 2, group: g, value: { size: 100B },
                  consumer: { interceptor.classes: %s,
                  partition.assignment.strategy: org.apache.kafka.clients.consumer.RangeAssignor } }
                warmup: none
                measure: 8s
                during: { join: { at: 3s, consumers: +1 } }
                """.formatted(PollGaps.class.getName()));
        double changed = (carried.measured.startNanos() - Carried.ORIGIN) / 1e9 + 3;
        List<Reading> pauses = carried.ofReaders.stream()
                .filter(reading -> reading.metric().equals(ReaderActivity.PAUSE))
                .filter(reading -> reading.second() > changed)
                .toList();
        // The reader that joins again last does not wait for the other: its pause may be as short as 29 ms.
        assertThat(pauses).extracting(Reading::source).contains("reader-0", "reader-1");
        for (Reading pause : pauses) {
            assertThat(PollGaps.ALL)
                    .anyMatch(gap -> gap.client().equals("weir-" + pause.source())
                            && Math.abs((gap.endNanos() - Carried.ORIGIN) / 1e9 - pause.second()) < 0.02
                            && Math.abs(gap.millis() - pause.value()) < 20);
        }
        assertThat(carried.numbers().latency(LatencyKind.PAUSE).count()).isGreaterThanOrEqualTo(2);
        EngineContract.assertOnce(carried.ledger.balance(Steps.MEASURE));
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"classic", "consumer"})
    void groupNoticesAKilledReaderAfterItsSessionTimeout(String protocol) throws Exception {
        double took = partitionsOfReader0("kill", protocol);
        assertThat(took).isBetween(SESSION_MILLIS - 600, SESSION_MILLIS + 2_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void groupNoticesAReaderThatLeavesAtOnce(String protocol) throws Exception {
        assertThat(partitionsOfReader0("close", protocol)).isLessThan(SESSION_MILLIS - 600);
    }

    /** Returns the milliseconds from the change until reader 0 has all partitions. */
    private double partitionsOfReader0(String how, String protocol) throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load: { workload: deliver, rate: 200/s, consumers: 2, %s }
                warmup: none
                measure: 10s
                during: { gone: { at: 3s, consumers: 1, how: %s } }
                """.formatted(group(protocol), how));
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
        List<Double> all = carried.ofReaders.stream()
                .filter(reading -> reading.metric().equals(ReaderActivity.PARTITIONS))
                .filter(reading -> reading.source().equals("reader-0") && reading.value() == 4)
                .map(Reading::second)
                .toList();
        double changed = (carried.measured.startNanos() - Carried.ORIGIN) / 1e9 + 3;
        return (all.get(all.size() - 1) - changed) * 1e3;
    }

    @Test
    void staticMemberThatReturnsBeforeItsSessionEndsCausesNoRebalance() throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load: { workload: deliver, rate: 200/s, consumers: 2, group: g,
                  consumer: { group.instance.id: i, session.timeout.ms: 6000 } }
                warmup: none
                measure: 8s
                during: { gone: { at: 3s, for: 2s, consumers: 1, how: kill } }
                """);
        double begin = (carried.measured.startNanos() - Carried.ORIGIN) / 1e9;
        assertThat(carried.ofReaders)
                .noneMatch(reading -> reading.metric().equals(ReaderActivity.PARTITIONS)
                        && reading.source().equals("reader-0")
                        && reading.second() > begin + 3
                        && reading.second() < begin + 8);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
    }

    @Test
    void readerThatStandsStillLongerThanThePollIntervalLosesItsPartitions() throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 4 } }
                load: { workload: deliver, rate: 200/s, consumers: 2, group: g,
                  consumer: { max.poll.interval.ms: 1500, session.timeout.ms: 6000, heartbeat.interval.ms: 300 } }
                warmup: none
                measure: 7s
                during: { still: { at: 1s, for: 3s, consumers: 1, how: pause } }
                """);
        assertThat(carried.events).anyMatch(event -> event.startsWith("rebalance: reader 1 lost"));
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.LOST)).isZero();
    }
}
