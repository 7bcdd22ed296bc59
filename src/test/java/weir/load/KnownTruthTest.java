package weir.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static weir.load.TurnedClock.MILLI;
import static weir.measure.Balances.assertCounts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.load.MemoryEngine.Answer;
import weir.load.MemoryEngine.Fate;
import weir.load.MemoryEngine.Fates;
import weir.load.MemoryEngine.LotSize;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.Verify;

/** Whole loads on a Kafka in memory with known behaviour. Each number must be exact. */
@Timeout(30)
class KnownTruthTest {
    private static final String SECOND_AT_1000 = """
            load: { workload: %s, rate: 1000/s, value: { size: 40B } }
            warmup: none
            measure: 1s
            drain: 1s
            """;

    private static final String EIGHT_AT_A_TIME = """
            load: { workload: produce, rate: 8 at a time, value: { size: 40B } }
            warmup: none
            measure: { operations: 400 }
            """;

    private static final String OTHERS_RECORDS = """
            cluster: { bootstrap: "nowhere:9092" }
            topics: { t: { existing: true } }
            load: { workload: consume, rate: 1000/s }
            warmup: none
            measure: { operations: %d, idle: 1s }
            verify: false
            """;

    @TempDir
    Path folder;

    private final Series series = new Series();
    private long startNanos;
    private final SortedMap<Long, Double> lags = new TreeMap<>();
    private long unread;
    private double seconds;
    private int behind;
    private LotSize lots = LotSize.SINGLY;
    private Consumer<MemoryEngine> deed = engine -> {};
    private Consumer<TurnedClock> turn = clock -> {};

    private record Carried(Numbers numbers, Balance balance) {
        Latency of(LatencyKind metric) {
            return numbers.latency(metric);
        }
    }

    private Carried produce(Fates fates) {
        return carry(SECOND_AT_1000.formatted("produce"), fates);
    }

    private Carried deliver(Fates fates) {
        return carry(SECOND_AT_1000.formatted("deliver"), fates);
    }

    private static Fates after(long millis) {
        return (sequence, sent) -> Fate.after(millis * MILLI);
    }

    private static Consumer<TurnedClock> standstill(long fromMillis, long forMillis) {
        return clock -> clock.standstill(clock.getAsLong() + fromMillis * MILLI, forMillis * MILLI);
    }

    private Carried carry(String yaml, Fates fates) {
        Variant variant = Plans.only(yaml);
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, 7, 0);
        try (TurnedClock clock = new TurnedClock()) {
            MemoryEngine engine = new MemoryEngine(clock, fates);
            engine.inLots(lots);
            engine.writeForeign(behind);
            try (Load load = new Load(plan, Engine.of(engine), payloads, clock, new RecordingListener())) {
                load.prepare(Duration.ofSeconds(1));
                // The sender, three that wake up regularly, the broker, and the reader if there is one.
                clock.start(plan.reads() ? 6 : 5);
                load.fill();
                deed.accept(engine);
                turn.accept(clock);
                load.warmUp(clock.getAsLong() + 10 * MILLI);
                startNanos = clock.getAsLong() + 10 * MILLI;
                PhaseTimes measured = load.measure(startNanos);
                seconds = (measured.endNanos() - measured.startNanos()) / 1e9;
                long deadline = clock.getAsLong() + variant.drain().toNanos();
                load.finishSending(deadline);
                unread = load.finishReading(deadline);
                if (variant.verify() == Verify.TRUE) {
                    load.verify(load.positions(), clock.getAsLong() + 10_000 * MILLI);
                }
                return new Carried(
                        series.total(Steps.MEASURE, Steps.MEASURE),
                        load.finish().balance(Steps.FILL, Steps.MEASURE));
            }
        }
    }

    private final class RecordingListener implements LoadListener {
        @Override
        public void window(Snapshot snapshot) {
            series.add(snapshot);
        }

        @Override
        public void reading(Reading reading) {
            if (reading.metric().equals("lag.records")) {
                lags.put((long) reading.second(), reading.value());
            }
        }
    }

    /** Asserts percentiles of these latencies in milliseconds by message number, as exact as a histogram. */
    private static void assertExactly(Latency latency, int messages, LongUnaryOperator millis) {
        long[] sorted = LongStream.range(0, messages).map(millis).sorted().toArray();
        assertThat(latency.count()).isEqualTo(messages);
        for (double percentile : new double[] {1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100}) {
            // A small epsilon, because 99.9 percent of a thousand is slightly above 999 in doubles.
            long expected = sorted[(int) Math.ceil(percentile / 100 * messages - 1e-6) - 1];
            assertThat(latency.millis(percentile))
                    .as("p" + percentile)
                    .isCloseTo((double) expected, within(expected / 1000.0 + 0.001));
        }
        double mean = Arrays.stream(sorted).average().orElseThrow();
        assertThat(latency.meanMillis()).as("mean").isCloseTo(mean, within(mean / 1000 + 0.001));
    }

    private static void assertWhole(Balance balance, long records) {
        assertThat(balance).isEqualTo(Balances.of("due $1, sent $1, acked $1, received $1", records));
    }

    @Test
    void aDelayIsInResponseServiceAndE2eAsItWas() throws Exception {
        Carried carried = deliver((sequence, sent) ->
                new Fate(1, (1 + sequence / 200) * MILLI, Answer.ACK, (2 + sequence % 50) * MILLI, 0));
        assertWhole(carried.balance, 1_000);
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> 2 + n % 50);
        assertExactly(carried.of(LatencyKind.SERVICE), 1_000, n -> 2 + n % 50);
        assertExactly(carried.of(LatencyKind.E2E), 1_000, n -> 1 + n / 200);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.BLOCKED), 1_000, n -> 0);
    }

    @Test
    void workOfAReaderEndsInProcessed() throws Exception {
        Carried carried = carry(SECOND_AT_1000.formatted("deliver, work: 5ms").replace("1000/s", "100/s"), after(1));
        assertWhole(carried.balance, 100);
        assertThat(carried.of(LatencyKind.E2E).maxMillis()).isBetween(0.99, 2.01);
        assertThat(carried.of(LatencyKind.PROCESSED).count()).isEqualTo(100);
        assertThat(carried.of(LatencyKind.PROCESSED).meanMillis())
                .isCloseTo(5 + carried.of(LatencyKind.E2E).meanMillis(), within(0.01));
    }

    @Test
    void readerReceivesOneRecordAfterTheWorkOnTheLastOne() throws Exception {
        Carried carried = carry(SECOND_AT_1000.formatted("deliver, work: 5ms"), after(1));
        assertThat(carried.numbers.count(Count.RECEIVED_DURING)).isBetween(198L, 201L);
        // The reader goes on for the second of the drain. Then Weir reads the rest back, without work.
        assertThat(carried.of(LatencyKind.PROCESSED).count()).isBetween(396L, 600L);
        assertWhole(carried.balance, 1_000);
    }

    @Test
    void silentBrokersLeaveRecordsUnreadAndNotLost() throws Exception {
        deed = MemoryEngine::fallSilent;
        // All messages are answered by then. Only the queries for the ends go on, and their time limit ends at once.
        turn = standstill(1_300, 60_000);
        Carried carried =
                deliver((sequence, sent) -> new Fate(sequence % 10 == 0 ? 0 : 1, MILLI, Answer.ACK, MILLI, 0));
        assertCounts(carried.balance, "acked 1000, received 900, unread 100, lost 0");
    }

    @Test
    void lagIsAckedMinusReceivedIfEndOffsetsAreUnknown() throws Exception {
        deed = engine -> {
            engine.fallSilent();
            engine.holdReaders();
        };
        turn = standstill(4_300, 60_000);
        carry(SECOND_AT_1000.formatted("deliver").replace("measure: 1s", "measure: 4s"), after(1));
        // The readings of a second are from its end. The load begins a little after the first reading.
        assertThat(lags.get(1L)).isBetween(950.0, 1_050.0);
        assertThat(lags.get(3L)).isBetween(2_950.0, 3_050.0);
    }

    @Test
    void backlogAgeIsNotInTheLatencyOfTheCatchUpStep() throws Exception {
        Carried carried = carry(SECOND_AT_1000.formatted("deliver, backlog: 500 records"), after(2));
        assertWhole(carried.balance, 1_500);
        assertThat(carried.of(LatencyKind.E2E).count()).isEqualTo(1_000);
        assertThat(carried.of(LatencyKind.RESPONSE).count()).isEqualTo(1_000);
        assertThat(series.total(Steps.FILL).latency(LatencyKind.E2E).count()).isEqualTo(500);
    }

    /** A message that is sent between 300 and 700 ms is answered at 700 ms. */
    private Fate stalled(long sent, boolean blocks) {
        long since = (sent - startNanos) / MILLI;
        if (since < 300 || since >= 700) {
            return Fate.after(2 * MILLI);
        }
        long rest = (700 - since) * MILLI;
        return new Fate(1, rest, Answer.ACK, rest, blocks ? rest : 0);
    }

    @Test
    void bufferedStallCountsInResponseAndService() throws Exception {
        Carried carried = deliver((sequence, sent) -> stalled(sent, false));
        assertWhole(carried.balance, 1_000);
        LongUnaryOperator waits = n -> n >= 300 && n < 700 ? 700 - n : 2;
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, waits);
        assertExactly(carried.of(LatencyKind.SERVICE), 1_000, waits);
        assertExactly(carried.of(LatencyKind.E2E), 1_000, waits);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
    }

    @Test
    void blockingStallCountsInResponseAndBackpressureButNotInService() throws Exception {
        Carried carried = produce((sequence, sent) -> stalled(sent, true));
        assertWhole(carried.balance, 1_000);
        // The call of the first message blocks. The others are sent when the call returns, and answered 2 ms later.
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> n == 300 ? 400 : n > 300 && n < 700 ? 702 - n : 2);
        assertExactly(carried.of(LatencyKind.SERVICE), 1_000, n -> n == 300 ? 400 : 2);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> n > 300 && n < 700 ? 700 - n : 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.BLOCKED), 1_000, n -> n == 300 ? 400 : 0);
    }

    @Test
    void generatorPauseCountsAsLate() throws Exception {
        turn = standstill(310, 400);
        Carried carried = produce(after(2));
        assertWhole(carried.balance, 1_000);
        LongUnaryOperator late = n -> n > 300 && n < 700 ? 700 - n : 0;
        assertExactly(carried.of(LatencyKind.LATE), 1_000, late);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.SERVICE), 1_000, n -> 2);
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> 2 + late.applyAsLong(n));
    }

    @Test
    void generatorPauseInsideASendCallCountsAsLate() throws Exception {
        turn = standstill(310, 400);
        Carried carried =
                produce((sequence, sent) -> new Fate(1, MILLI, Answer.ACK, 2 * MILLI, sequence == 300 ? MILLI : 0));
        assertWhole(carried.balance, 1_000);
        // All but two beats of the delay count as the generator's.
        assertThat(carried.of(LatencyKind.LATE).maxMillis()).isBetween(390.0, 400.0);
        assertThat(carried.of(LatencyKind.LATE).millis(80)).isBetween(190.0, 201.0);
        assertThat(carried.of(LatencyKind.BACKPRESSURE).maxMillis()).isLessThan(9);
    }

    /** From 960 ms after the start until 20 ms after the end. */
    private static final Consumer<TurnedClock> STANDSTILL_OVER_THE_END = standstill(970, 60);

    @Test
    void messagesDelayedByAGeneratorPauseAtTheEndAreSentLate() throws Exception {
        turn = STANDSTILL_OVER_THE_END;
        Carried carried = produce(after(2));
        assertWhole(carried.balance, 1_000);
        LongUnaryOperator late = n -> n > 960 ? 1_020 - n : 0;
        assertExactly(carried.of(LatencyKind.LATE), 1_000, late);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> 2 + late.applyAsLong(n));
        assertThat(carried.of(LatencyKind.RESPONSE).censored()).isZero();
    }

    @Test
    void batchesDelayedByAGeneratorPauseAtTheEndAreLate() throws Exception {
        lots = new LotSize(4, 500 * MILLI, 100);
        turn = STANDSTILL_OVER_THE_END;
        Carried carried = produce(after(2));
        assertWhole(carried.balance, 1_000);
        // Each group of four messages should have left when the last of them was due.
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> n >= 960 ? 1_020 - (n / 4 * 4 + 3) : 0);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
    }

    /** A message that is sent after 900 ms blocks the client until 1,100 ms. */
    private Fate stalledOverTheEnd(long sent) {
        long since = (sent - startNanos) / MILLI;
        long rest = since < 900 ? 0 : Math.max(0, 1_100 - since) * MILLI;
        return new Fate(1, rest, Answer.ACK, rest, rest);
    }

    @Test
    void messagesBlockedByABrokerStallAtTheEndAreUnsent() throws Exception {
        Carried carried = produce((sequence, sent) -> stalledOverTheEnd(sent));
        assertCounts(carried.balance, "unsent 99, acked 901");
        assertThat(carried.of(LatencyKind.RESPONSE).censored()).isEqualTo(99);
        assertThat(carried.of(LatencyKind.LATE).maxMillis())
                .as("none of it was our doing")
                .isLessThan(0.001);
    }

    @Test
    void messagesAreUnsentIfAStallLeavesNoRoomForTheirBatch() throws Exception {
        lots = new LotSize(4, 500 * MILLI, 1);
        Carried carried = produce((sequence, sent) -> stalledOverTheEnd(sent));
        // The batch of message 896 is answered at 1,100 ms, and nothing leaves before.
        assertThat(carried.balance.of(Count.UNSENT)).isEqualTo(96);
        assertThat(carried.of(LatencyKind.RESPONSE).censored()).isEqualTo(96);
        assertThat(carried.of(LatencyKind.LATE).maxMillis())
                .as("none of it was our doing")
                .isLessThan(0.001);
    }

    @Test
    void messagesThatMissTheDrainCountAsLate() throws Exception {
        // The drain ends before another message is sent.
        turn = STANDSTILL_OVER_THE_END;
        Carried carried = carry(
                SECOND_AT_1000.formatted("produce").replace("drain: 1s", "drain: 0s"),
                (sequence, sent) -> new Fate(1, 0, Answer.ACK, 0, sequence > 960 ? 5 * MILLI : 0));
        assertThat(carried.balance.of(Count.UNSENT)).isBetween(20L, 39L);
        assertThat(carried.of(LatencyKind.LATE).count()).isEqualTo(1_000);
        assertThat(carried.of(LatencyKind.LATE).millis(99)).isCloseTo(50, within(11.0));
    }

    @Test
    void everyFaultIsCountedToTheLastMessage() throws Exception {
        // Of each hundred: ten twice, five lost, four ghosts, three failed, two unanswered, one overtaken.
        Fates fates = (sequence, sent) -> {
            long n = sequence % 100;
            if (n < 10) {
                return new Fate(2, MILLI, Answer.ACK, 2 * MILLI, 0);
            }
            if (n < 15) {
                return new Fate(0, 0, Answer.ACK, 2 * MILLI, 0);
            }
            if (n < 19) {
                return new Fate(1, MILLI, Answer.FAILURE, 2 * MILLI, 0);
            }
            if (n < 22) {
                return new Fate(0, 0, Answer.FAILURE, 2 * MILLI, 0);
            }
            if (n < 24) {
                return new Fate(0, 0, Answer.NOTHING, 0, 0);
            }
            return new Fate(1, n == 50 ? 20 * MILLI : MILLI, Answer.ACK, 30 * MILLI, 0);
        };
        deed = engine -> engine.writeForeign(6);
        Carried carried = deliver(fates);
        assertThat(carried.balance)
                .isEqualTo(
                        Balances.of(
                                "due 1000, sent 1000, acked 910, failed 70, unresolved 20, received 900, lost 50, duplicated 100, reordered 10, ghosts 40, foreign 6"));
        assertThat(carried.numbers.received()).as("each once").isEqualTo(900);
        assertThat(carried.numbers.bytesReceived()).isEqualTo(36_000);
        assertThat(carried.of(LatencyKind.E2E).count()).isEqualTo(900);
        Latency response = carried.of(LatencyKind.RESPONSE);
        assertThat(response.count()).isEqualTo(1_000);
        assertThat(response.censored()).as("failed and unresolved").isEqualTo(90);
        assertThat(carried.of(LatencyKind.FAILURE).count()).isEqualTo(70);
        assertThat(carried.of(LatencyKind.FAILURE).maxMillis())
                .as("when it was known")
                .isLessThan(2_500);
        assertThat(carried.numbers.successes().count()).isEqualTo(910);
        assertThat(carried.numbers.successes().maxMillis()).isLessThan(2_500);
        // A failure is not a fast answer: it counts as the time after which the client abandons the message.
        assertThat(response.maxMillis()).isCloseTo(120_000, within(120.0));
        assertThat(response.millis(92)).isLessThan(2_500);
        assertThat(response.millis(94)).isCloseTo(120_000, within(120.0));
    }

    @Test
    void recordsReadTwiceCountAsReread() throws Exception {
        deed = engine -> engine.rewindAt(123);
        Carried carried = deliver(after(1));
        assertThat(carried.balance)
                .isEqualTo(Balances.of("due 1000, sent 1000, acked 1000, received 1000, reread 123"));
        assertThat(carried.numbers.received()).as("each once").isEqualTo(1_000);
        assertThat(carried.of(LatencyKind.E2E).count()).isEqualTo(1_000);
    }

    @Test
    void recordsRemovedBeforeReadingCountAsExpired() throws Exception {
        deed = engine -> engine.removeBefore(77);
        Carried carried = carry("""
                load: { workload: consume, backlog: 1000 records, rate: 1000/s, value: { size: 40B } }
                warmup: none
                measure: 2s
                """, after(1));
        assertThat(carried.balance).isEqualTo(Balances.of("due 1000, sent 1000, acked 1000, received 923, expired 77"));
        assertThat(carried.numbers.received()).isEqualTo(923);
    }

    @Test
    void backlogIsReadAtTheConfiguredRate() throws Exception {
        Carried carried = carry("""
                load: { workload: consume, backlog: 2000 records, rate: 1000/s, value: { size: 40B } }
                warmup: none
                measure: 1s
                """, after(1));
        assertThat(carried.numbers.received()).isEqualTo(1_000);
        assertThat(carried.numbers.bytesReceived()).isEqualTo(40_000);
        assertThat(unread).isEqualTo(1_000);
        // Verify reads the rest back.
        assertWhole(carried.balance, 2_000);
    }

    @Test
    void foreignRecordsAreReadUntilTheIdleTimeEnds() throws Exception {
        deed = engine -> engine.writeForeign(400);
        Carried carried = carry(OTHERS_RECORDS.formatted(500), after(1));
        assertThat(carried.numbers.received()).isEqualTo(400);
        assertThat(carried.numbers.count(Count.RECEIVED_DURING)).isEqualTo(400);
        assertThat(carried.numbers.bytesReceived()).isEqualTo(16_000);
        assertThat(carried.balance.of(Count.FOREIGN)).isEqualTo(400);
        assertThat(seconds).as("the idle time is no part of it").isBetween(0.39, 0.9);
    }

    @Test
    void readingAsFastAsItGoesIsOverWithTheLastRecord() throws Exception {
        deed = engine -> engine.writeForeign(400);
        Carried carried = carry(OTHERS_RECORDS.formatted(300).replace("1000/s", "max"), after(1));
        assertThat(carried.numbers.received()).isEqualTo(300);
        double took = carried.numbers.endedNanos() - startNanos;
        assertThat(seconds).isCloseTo(took / 1e9, within(1e-6));
    }

    @Test
    void requestedNumberOfForeignRecordsIsRead() throws Exception {
        deed = engine -> engine.writeForeign(400);
        Carried carried = carry(OTHERS_RECORDS.formatted(300), after(1));
        assertThat(carried.numbers.received()).isEqualTo(300);
    }

    @Test
    void lastRecordIsReadWhenItIsDueLate() throws Exception {
        deed = engine -> engine.writeForeign(400);
        Carried carried = carry(OTHERS_RECORDS.formatted(20).replace("1000/s", "20/s"), after(1));
        assertThat(carried.numbers.received()).isEqualTo(20);
    }

    @Test
    void readerAtLatestOffsetSkipsExistingRecords() throws Exception {
        String latest = OTHERS_RECORDS
                .formatted(500)
                .replace("rate: 1000/s", "rate: 1000/s, consumer: { auto.offset.reset: latest }");
        behind = 100;
        deed = engine -> engine.writeForeign(70);
        Carried carried = carry(latest, after(1));
        assertThat(carried.numbers.received()).isEqualTo(70);
    }

    @Test
    void countedWarmUpAndCountedMeasurementSendExactly() {
        LoadPlan plan = plan("warmup: { operations: 100 }\nmeasure: { operations: 400 }\n");
        assertThat(plan.warming(0).fixedShare(0, 1).claim(1_000)).isEqualTo(100);
        LoadPlan timed = plan("warmup: { operations: 100 }\nmeasure: 5s\n");
        assertThat(timed.warming(0).fixedShare(0, 1).claim(1_000))
                .as("otherwise the load goes on until it is measured")
                .isEqualTo(1_000);
    }

    @Test
    void fullSpeedWarmUpEndsAtTheRateOfTheLoad() {
        Map<Long, Integer> bySecond = new TreeMap<>();
        carry("""
                load: { workload: produce, rate: 100/s, value: { size: 40B } }
                warmup: { for: 6s, rate: 4 at a time }
                measure: 1s
                drain: 1s
                """, (sequence, sent) -> {
            bySecond.merge((sent - 1_100 * MILLI) / (1_000 * MILLI), 1, Integer::sum);
            return Fate.after(MILLI);
        });
        assertThat(bySecond.get(2L)).isGreaterThan(1_000);
        assertThat(bySecond.get(3L)).isGreaterThan(1_000);
        assertThat(bySecond.get(4L)).isBetween(99, 105);
    }

    @Test
    void onlyClosedLoopWarmUpBeforeAPacedLoadSwitchesToItsRate() {
        assertThat(plan("load: { rate: 9/s }\nwarmup: { for: 3s, rate: max }").pacingNanos())
                .isEqualTo(2_000 * MILLI);
        assertThat(plan("load: { rate: max }\nwarmup: { for: 3s, rate: max }").pacingNanos())
                .isEqualTo(Schedule.NEVER);
        assertThat(plan("load: { rate: 9/s }\nwarmup: { for: 3s, rate: 1/s }").pacingNanos())
                .isEqualTo(Schedule.NEVER);
    }

    private static LoadPlan plan(String yaml) {
        return LoadPlans.alone(Plans.only(yaml), 40, 7, 0);
    }

    @Test
    void closedLoopMeasuresOnlyTheResponse() throws Exception {
        Carried carried = carry(EIGHT_AT_A_TIME, after(4));
        assertWhole(carried.balance, 400);
        for (LatencyKind metric : new LatencyKind[] {LatencyKind.RESPONSE, LatencyKind.SERVICE}) {
            assertExactly(carried.of(metric), 400, n -> 4);
        }
        assertExactly(carried.of(LatencyKind.LATE), 400, n -> 0);
    }

    @Test
    void messageWaitsForItsBatch() throws Exception {
        lots = new LotSize(100, 5 * MILLI, 100);
        Carried carried = deliver(after(2));
        assertWhole(carried.balance, 1_000);
        // Six messages are due within five milliseconds; the last four leave when the stage ends.
        LongUnaryOperator waits = n -> (n < 996 ? 5 - n % 6 : 1_000 - n) + 2;
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, waits);
        assertExactly(carried.of(LatencyKind.SERVICE), 1_000, waits);
        assertExactly(carried.of(LatencyKind.E2E), 1_000, waits);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
    }

    @Test
    void fullBatchIsSentAtOnce() throws Exception {
        lots = new LotSize(4, 500 * MILLI, 100);
        Carried carried = produce(after(2));
        assertWhole(carried.balance, 1_000);
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> 3 - n % 4 + 2);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
    }

    @Test
    void batchWithoutRoomBlocksLaterBatches() throws Exception {
        lots = new LotSize(1_000, 0, 1);
        Carried carried = produce((sequence, sent) -> Fate.after(sent - startNanos == 300 * MILLI ? 400 * MILLI : 0));
        assertWhole(carried.balance, 1_000);
        // The first message is in flight, the second blocks in its call, and the others leave with the second.
        assertExactly(carried.of(LatencyKind.RESPONSE), 1_000, n -> n >= 300 && n < 700 ? 700 - n : 0);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> n > 301 && n < 700 ? 700 - n : 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.BLOCKED), 1_000, n -> n == 301 ? 399 : 0);
    }

    @Test
    void generatorPauseWhileABatchHasNoRoomIsBackpressure() throws Exception {
        lots = new LotSize(1_000, 0, 1);
        // From 400 ms after the start for 200 ms: the answer arrives at 700.
        turn = standstill(410, 200);
        Carried carried = produce((sequence, sent) -> Fate.after(sent - startNanos == 300 * MILLI ? 400 * MILLI : 0));
        assertWhole(carried.balance, 1_000);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> n > 301 && n < 700 ? 700 - n : 0);
        assertExactly(carried.of(LatencyKind.LATE), 1_000, n -> 0);
        assertExactly(carried.of(LatencyKind.BLOCKED), 1_000, n -> n == 301 ? 399 : 0);
    }

    @Test
    void generatorPauseAfterRoomForABatchCountsAsLate() throws Exception {
        lots = new LotSize(1_000, 0, 1);
        // From 600 ms after the start for 200 ms: the time of an answer in this span is unknown.
        turn = standstill(610, 200);
        Carried carried = produce((sequence, sent) -> Fate.after(sent - startNanos == 300 * MILLI ? 400 * MILLI : 0));
        assertWhole(carried.balance, 1_000);
        assertThat(carried.of(LatencyKind.LATE).maxMillis()).isBetween(190.0, 200.0);
        assertThat(carried.of(LatencyKind.BACKPRESSURE).maxMillis()).isBetween(295.0, 310.0);
    }

    @Test
    void generatorPauseCountsAsLateWithoutTheBatchWait() throws Exception {
        lots = new LotSize(1_000, 5 * MILLI, 100);
        turn = standstill(310, 400);
        Carried carried = produce(after(2));
        assertWhole(carried.balance, 1_000);
        // Each group of six is late by the time from its planned departure to the end of the pause.
        LongUnaryOperator late = n -> n >= 300 && n < 696 ? Math.max(0, 700 - (n / 6 * 6 + 5)) : 0;
        assertExactly(carried.of(LatencyKind.LATE), 1_000, late);
        assertExactly(carried.of(LatencyKind.BACKPRESSURE), 1_000, n -> 0);
    }

    @Test
    void batchedClosedLoopKeepsItsInFlightLimit() throws Exception {
        lots = new LotSize(5, 3 * MILLI, 100);
        Carried carried = carry(EIGHT_AT_A_TIME, after(4));
        assertWhole(carried.balance, 400);
        // Five messages fill a batch; three wait for the linger.
        assertThat(carried.of(LatencyKind.RESPONSE).count()).isEqualTo(400);
        assertThat(carried.of(LatencyKind.RESPONSE).maxMillis()).isBetween(6.9, 7.1);
        assertThat(carried.of(LatencyKind.RESPONSE).millis(1)).isBetween(3.9, 4.1);
        assertExactly(carried.of(LatencyKind.LATE), 400, n -> 0);
    }

    @Test
    void everyMessageOfAFailedBatchCountsAsFailed() throws Exception {
        lots = new LotSize(10, 20 * MILLI, 100);
        Carried carried = produce(
                (sequence, sent) -> new Fate(1, MILLI, sequence == 50 ? Answer.FAILURE : Answer.ACK, 2 * MILLI, 0));
        assertThat(carried.balance)
                .isEqualTo(Balances.of("due 1000, sent 1000, acked 990, failed 10, received 1000, ghosts 10"));
    }
}
