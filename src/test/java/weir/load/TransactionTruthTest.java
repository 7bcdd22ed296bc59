package weir.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static weir.load.TurnedClock.MILLI;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.load.MemoryTransactions.Deed;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** Operations of several records and transactions on a Kafka in memory with known behaviour. */
@Timeout(30)
class TransactionTruthTest {
    private static final String WRITE = "workload: write, rate: one at a time, value: { size: 40B }";
    private static final String STREAM = "workload: stream, from: left, to: right, backlog: 100 records,"
            + " rate: one at a time, value: { size: 40B }, commit: each record";

    @TempDir
    Path folder;

    private final Series series = new Series();
    private final List<String> events = new ArrayList<>();

    private record Carried(Numbers numbers, Ledger ledger) {
        Balance balance() {
            return ledger.balance(Steps.MEASURE);
        }

        Atomicity atomicity() {
            return ledger.atomicity();
        }

        double mean(LatencyKind metric) {
            return numbers.latency(metric).meanMillis();
        }

        /** Fails if a mean differs: a row has kinds, milliseconds and the tolerance. */
        void assertMeans(String row) {
            for (String cell : row.split(", ", -1)) {
                String[] words = cell.split(" ", -1);
                assertThat(mean(LatencyKind.valueOf(words[0].toUpperCase(Locale.ROOT))))
                        .as(cell)
                        .isCloseTo(Double.parseDouble(words[1]), within(Double.parseDouble(words[3])));
            }
        }
    }

    private Carried carry(String load, String measure) throws IOException {
        return carry(load, measure, engine -> engine);
    }

    /** Runs fifty operations and breaks a promise in one transaction. */
    private Carried carry(String load, Deed deed, int transaction) throws IOException {
        return carry(load, "{ operations: 50 }", engine -> engine.does(deed, transaction));
    }

    private Carried carry(String load, String measure, UnaryOperator<MemoryTransactions> deeds) throws IOException {
        return carry(load, measure, deeds, clock -> {});
    }

    private Carried carry(
            String load, String measure, UnaryOperator<MemoryTransactions> deeds, Consumer<TurnedClock> turn)
            throws IOException {
        String yaml = "name: truth\ntopics: { left: { partitions: 1 }, right: { partitions: 1 } }\nload: { " + load
                + " }\nwarmup: none\nmeasure: " + measure + "\ndrain: 1s\n";
        Variant variant = PlanReader.read(Files.writeString(folder.resolve("truth.yaml"), yaml), Overrides.NONE)
                .variants()
                .get(0);
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, 7, 0);
        boolean stream = variant.load().workload() == LoadSpec.Workload.STREAM;
        boolean transactional = !(variant.load().transaction() instanceof TransactionSpec.None);
        try (TurnedClock clock = new TurnedClock()) {
            MemoryTransactions engine = deeds.apply(new MemoryTransactions(clock, stream, transactional));
            try (Load carried = new Load(plan, Engine.of(engine), payloads, clock, new RecordingListener())) {
                carried.prepare(Duration.ofSeconds(1));
                // The sender, three that wake up regularly, and the thread that fills a stream's source or answers.
                clock.start(stream || !transactional ? 5 : 4);
                carried.fill();
                turn.accept(clock);
                carried.measure(clock.getAsLong() + 10 * MILLI);
                long deadline = clock.getAsLong() + variant.drain().toNanos();
                carried.finishSending(deadline);
                carried.finishReading(deadline);
                // The clock advances while the verifier's thread starts, which takes long on a busy machine.
                carried.verify(carried.positions(), clock.getAsLong() + 3_600_000 * MILLI);
                return new Carried(series.total(Steps.MEASURE, Steps.MEASURE), carried.finish());
            }
        }
    }

    private final class RecordingListener implements LoadListener {
        @Override
        public void window(Snapshot snapshot) {
            series.add(snapshot);
        }

        @Override
        public void event(String text) {
            events.add(text);
        }
    }

    private static void assertWhole(Balance balance, long records) {
        assertThat(balance).isEqualTo(Balances.of("due $1, sent $1, acked $1, received $1", records));
    }

    @Test
    void operationEndsWithItsLastAck() throws Exception {
        Carried carried = carry("workload: write, rate: 200/s, value: { size: 40B }", "1s");
        // The second record is sent 2 ms after the first. Acks take 7 ms, and the next operation is due after 5 ms.
        assertWhole(carried.balance(), 400);
        assertThat(carried.numbers.count(Count.OPERATIONS)).isEqualTo(200);
        assertThat(carried.numbers.latency(LatencyKind.SERVICE).count()).isEqualTo(200);
        carried.assertMeans("service 9 ± 0.02, response 9 ± 0.02, blocked 4 ± 0.01");
        assertThat(carried.numbers.latency(LatencyKind.BACKPRESSURE).maxMillis())
                .isLessThan(0.01);
    }

    @Test
    void closedLoopOfOneWaitsForTheWholeOperation() throws Exception {
        Carried carried = carry(WRITE, "1s");
        assertThat(carried.numbers.count(Count.OPERATIONS)).isBetween(109L, 112L);
        assertThat(carried.mean(LatencyKind.SERVICE)).isCloseTo(9, within(0.02));
    }

    @Test
    void everyOperationOfACountedLoopIsKeptToTheNanosecond() throws Exception {
        Carried carried = carry(WRITE, "{ operations: 50 }");
        long[] each = carried.numbers.singles().values();
        assertThat(each).hasSize(50);
        // The test's clock advances only a few nanoseconds with each reading.
        assertThat(Arrays.stream(each).average().orElseThrow() / MILLI).isCloseTo(9, within(0.01));
        assertThat(carried.numbers.latency(LatencyKind.RESPONSE).meanMillis())
                .isCloseTo(Arrays.stream(each).average().orElseThrow() / MILLI, within(0.01));
        series.take(Long.MAX_VALUE);
        assertThat(carry(WRITE, "1s").numbers.singles().values())
                .as("of a time instead of a count, none more are kept")
                .hasSize(50);
    }

    @Test
    void aStreamWithoutTransactionsCommitsItsOffsetsByThemselves() throws Exception {
        Carried carried = carry(STREAM, "{ operations: 50 }");
        assertWhole(carried.balance(), 50);
        assertThat(carried.numbers.count(Count.OPERATIONS)).isEqualTo(50);
        carried.assertMeans("service 12 ± 0.02, offsets 10 ± 0.02, send 2 ± 0.01, fetch 10 ± 0.02");
        assertThat(carried.numbers.latency(LatencyKind.FETCH).count()).isEqualTo(5);
        assertThat(carried.numbers.latency(LatencyKind.COMMIT).empty()).isTrue();
        assertThat(carried.atomicity().offsetsWithoutRecord()).isZero();
    }

    @Test
    void theRecordsOfATransactionAreAckedWhenItsCommitReturns() throws Exception {
        Carried carried = carry(WRITE + ", transaction: each", "{ operations: 50 }");
        assertWhole(carried.balance(), 100);
        assertThat(carried.numbers.count(Count.OPERATIONS)).isEqualTo(50);
        assertThat(carried.numbers.latency(LatencyKind.SERVICE).count()).isEqualTo(50);
        carried.assertMeans("begin 1 ± 0.01, send 4 ± 0.01, commit 5 ± 0.01, transaction 10 ± 0.02, service 10 ± 0.02");
        assertThat(carried.atomicity()).isEqualTo(new Atomicity(50, 0, 0, 0, 0L, 0L, null, null, null, List.of()));
    }

    @Test
    void messagesDueDuringATransactionCountAsBackpressure() throws Exception {
        Carried carried = carry("workload: write, rate: 200/s, value: { size: 40B }, transaction: each", "1s");
        // Due every 5 ms, done every 10 ms: operation n waits for 5n ms, and only half of all operations begin in time.
        assertThat(carried.balance().of(Count.DUE)).isEqualTo(400);
        assertThat(carried.balance().balances()).isTrue();
        assertThat(carried.numbers.latency(LatencyKind.LATE).maxMillis()).isLessThan(0.01);
        assertThat(carried.numbers.latency(LatencyKind.BACKPRESSURE).maxMillis())
                .isBetween(490.0, 520.0);
        assertThat(carried.mean(LatencyKind.SERVICE)).isCloseTo(10, within(0.02));
    }

    @Test
    void operationsDelayedByAGeneratorPauseAreLate() throws Exception {
        for (String transaction : List.of("none", "each")) {
            series.take(Long.MAX_VALUE);
            Carried carried = carry(
                    "workload: write, rate: 50/s, value: { size: 40B }, transaction: " + transaction,
                    "1s",
                    engine -> engine,
                    // From 930 ms after the start until 30 ms after the end, in which three operations are due.
                    clock -> clock.standstill(clock.getAsLong() + 940 * MILLI, 100 * MILLI));
            assertWhole(carried.balance(), 100);
            assertThat(carried.numbers.latency(LatencyKind.LATE).maxMillis()).isCloseTo(90, within(1.0));
            assertThat(carried.numbers.latency(LatencyKind.RESPONSE).censored()).isZero();
        }
    }

    @Test
    void transactionEndsAfterItsRecordsOrItsDuration() throws Exception {
        Carried records = carry(WRITE + ", transaction: { records: 10 }", "{ operations: 50 }");
        assertThat(records.atomicity().transactions()).isEqualTo(10);
        assertThat(records.numbers.latency(LatencyKind.COMMIT).count()).isEqualTo(10);
        assertThat(records.mean(LatencyKind.TRANSACTION)).isCloseTo(26, within(0.05));
        assertWhole(records.balance(), 100);
        Carried every =
                carry("workload: write, rate: 100/s, value: { size: 40B }, transaction: { every: 100ms }", "1s");
        assertThat(every.numbers.latency(LatencyKind.CALLBACK).count())
                .as("the answers come before the commit")
                .isEqualTo(every.numbers.count(Count.OPERATIONS));
        assertThat(every.mean(LatencyKind.CALLBACK)).isBetween(4.0, 5.0);
        assertThat(every.mean(LatencyKind.SERVICE)).isGreaterThan(40);
        assertThat(every.atomicity().transactions()).isBetween(9L, 11L);
        assertThat(every.balance().of(Count.ACKED)).isEqualTo(200);
    }

    @Test
    void abortedTransactionsAreCountedAndNotRead() throws Exception {
        Carried carried = carry(WRITE + ", transaction: { each: operation, abort: 30% }", "{ operations: 200 }");
        Atomicity atomicity = carried.atomicity();
        assertThat(atomicity.aborted()).isBetween(40L, 80L);
        assertThat(atomicity.transactions() + atomicity.aborted()).isEqualTo(200);
        assertThat(carried.balance().of(Count.ABORTED)).isEqualTo(2 * atomicity.aborted());
        assertThat(carried.balance().of(Count.RECEIVED)).isEqualTo(2 * atomicity.transactions());
        assertThat(carried.balance().balances()).isTrue();
        assertThat(atomicity.abortedReads()).isZero();
        assertThat(carried.mean(LatencyKind.ABORT)).isCloseTo(4, within(0.01));
    }

    @Test
    void readAbortedRecordIsReported() throws Exception {
        Carried carried = carry(WRITE + ", transaction: { each: operation, abort: 100% }", Deed.SHOWS_ABORTED, 7);
        assertThat(carried.atomicity().abortedReads()).isEqualTo(2);
        assertThat(carried.atomicity().torn()).isZero();
        assertThat(carried.atomicity().violations())
                .containsExactly(
                        "aborted read: left-0@7 (producer 0, message 14), whose transaction was aborted",
                        "aborted read: right-0@7 (producer 0, message 15), whose transaction was aborted");
    }

    @Test
    void tornTransactionIsReported() throws Exception {
        Carried carried = carry(WRITE + ", transaction: each", Deed.TEARS, 3);
        assertThat(carried.atomicity().torn()).isEqualTo(1);
        assertThat(carried.balance().of(Count.LOST)).isEqualTo(1);
        assertThat(carried.atomicity().violations())
                .containsExactly(
                        "torn: in the transaction of messages 6 to 7, left-0@3 (producer 0, message 6) was seen,"
                                + " message 7 was not",
                        "lost: producer 0, message 7");
    }

    @Test
    void committedOffsetWithoutItsRecordIsReported() throws Exception {
        Carried carried = carry(STREAM + ", transaction: each", Deed.FORGETS, 4);
        assertThat(carried.atomicity().offsetsWithoutRecord()).isEqualTo(1);
        assertThat(carried.atomicity().violations())
                .containsExactly(
                        "lost: the offset of source-0@4 is committed (the group is at 50), but readers saw no"
                                + " record of it",
                        "lost: producer 1, message 4");
    }

    @Test
    void recordWithUncommittedOffsetIsReported() throws Exception {
        Carried carried = carry(STREAM + ", transaction: each", Deed.LOSES_OFFSETS, 49);
        assertThat(carried.atomicity().recordsWithoutOffset()).isEqualTo(1);
        assertThat(carried.atomicity().violations()).singleElement().asString().contains("source-0@49", "is at 49");
    }

    @Test
    void recordWrittenTwiceIsReported() throws Exception {
        Carried carried = carry(STREAM + ", transaction: each", Deed.DOUBLES, 5);
        assertThat(carried.atomicity().writtenTwice()).isEqualTo(1);
        assertThat(carried.atomicity().timedOut()).isEqualTo(1);
        assertThat(carried.atomicity().violations()).singleElement().asString().contains("duplicated: source-0@5");
    }

    @Test
    void transactionalStreamWritesEachRecordOnceDespiteAborts() throws Exception {
        Carried carried = carry(STREAM + ", transaction: { each: operation, abort: 20% }", "{ operations: 60 }");
        Atomicity atomicity = carried.atomicity();
        assertThat(atomicity.aborted()).isPositive();
        assertThat(carried.balance().of(Count.RECEIVED)).isEqualTo(60 - atomicity.aborted());
        assertThat(atomicity.writtenTwice()).isZero();
        assertThat(atomicity.offsetsWithoutRecord()).isZero();
        assertThat(atomicity.recordsWithoutOffset()).isZero();
        carried.assertMeans("service 11 ± 0.02, transaction 11 ± 0.02");
    }

    @Test
    void aStreamEndsWhenItsSourceIsDry() throws Exception {
        Carried carried = carry(STREAM + ", transaction: { records: 8 }", "{ operations: 5000 }");
        assertWhole(carried.balance(), 100);
        assertThat(carried.atomicity().transactions()).isEqualTo(13);
    }

    @Test
    void fencedOrTimedOutProducerRestartsAndIsCounted() throws Exception {
        Carried carried = carry(
                WRITE + ", transaction: each",
                "{ operations: 50 }",
                engine -> engine.does(Deed.FENCES, 10).does(Deed.TIMES_OUT, 20).does(Deed.REFUSES, 30));
        Atomicity atomicity = carried.atomicity();
        assertThat(atomicity.fenced()).isEqualTo(1);
        assertThat(atomicity.timedOut()).isEqualTo(1);
        assertThat(atomicity.transactions()).isEqualTo(47);
        assertThat(carried.balance().of(Count.FAILED)).isEqualTo(6);
        assertThat(carried.balance().of(Count.ACKED)).isEqualTo(94);
        assertThat(carried.balance().balances()).isTrue();
        assertThat(atomicity.violations()).isEmpty();
        assertThat(events).anyMatch(event -> event.startsWith("a producer was fenced and restarts"));
        assertThat(events).anyMatch(event -> event.startsWith("a transaction timed out"));
        // A failure is never fast.
        assertThat(carried.numbers.latency(LatencyKind.SERVICE).maxMillis()).isCloseTo(120_000, within(200.0));
    }

    @Test
    void delayedProducerRestartCountsOneLostTransaction() throws Exception {
        Carried carried = carry(WRITE + ", transaction: each", Deed.STAYS_AWAY, 10);
        assertThat(carried.atomicity().timedOut()).isEqualTo(1);
        assertThat(carried.atomicity().transactions()).isEqualTo(49);
        assertThat(carried.balance().of(Count.FAILED)).isEqualTo(2);
        assertThat(events).anyMatch(event -> event.startsWith("a producer that restarts got no answer and retries"));
    }
}
