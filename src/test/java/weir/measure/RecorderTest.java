package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    /** A nanoTime may have any value, also a negative one. */
    private static final long ORIGIN = -77;

    private final List<Snapshot> windows = new ArrayList<>();

    private final Recorder recorder =
            new Recorder(ORIGIN, SECOND, Integer.MAX_VALUE, window -> windows.add(window.copy()));

    private static long at(long millis) {
        return ORIGIN + millis * MILLI;
    }

    private Numbers total() {
        recorder.close();
        Numbers total = new Numbers();
        windows.forEach(window -> total.add(window.all()));
        return total;
    }

    private double p100(LatencyKind metric) {
        return total().latency(metric).millis(100);
    }

    @Test
    void responseStartsAtDueTimeAndServiceAtSendTime() {
        recorder.acked(2, 1, 1, at(100), at(140), at(150), 10);
        Numbers total = total();
        assertThat(total.latency(LatencyKind.RESPONSE).millis(100)).isCloseTo(50, within(0.1));
        assertThat(total.latency(LatencyKind.SERVICE).millis(100)).isCloseTo(10, within(0.1));
        assertThat(total.acked()).isEqualTo(1);
        assertThat(total.bytesAcked()).isEqualTo(10);
    }

    @Test
    void numbersKnowWhenTheFirstWasSentAndTheLastCame() {
        recorder.sent(2, 1, 1, at(100), at(120), at(121), 0, 10);
        recorder.sent(2, 1, 1, at(100), at(140), at(141), 0, 10);
        recorder.acked(2, 1, 1, at(100), at(120), at(2_150), 10);
        recorder.read(2, 1, at(1_700), 10);
        assertThat(total().beganNanos()).isEqualTo(120 * MILLI);
        assertThat(total().endedNanos()).isEqualTo(2_150 * MILLI);
        assertThat(new Numbers().beganNanos()).isZero();
    }

    @Test
    void sendDelayIsSplitIntoBackpressureAndLate() {
        recorder.sent(2, 3, 3, at(100), at(140), at(145), 30 * MILLI, 300);
        Numbers total = total();
        assertThat(total.latency(LatencyKind.BACKPRESSURE).millis(100)).isCloseTo(30, within(0.1));
        assertThat(total.latency(LatencyKind.LATE).millis(100)).isCloseTo(10, within(0.1));
        assertThat(total.latency(LatencyKind.BLOCKED).millis(100)).isCloseTo(5, within(0.1));
        assertThat(total.latency(LatencyKind.LATE).count()).isEqualTo(3);
        assertThat(total.sent()).isEqualTo(3);
        assertThat(total.count(Count.BYTES_SENT)).isEqualTo(300);
    }

    @Test
    void latencyBeforeDueTimeCountsAsZeroAndKeepsItsLead() throws IOException {
        recorder.received(2, 2, at(100), at(95), 20);
        recorder.received(2, 1, at(100), at(100), 10);
        recorder.close();
        Snapshot window = Written.read(Written.bytes(windows.get(0)::write), Snapshot::read);
        Latency early = window.numbers(2).latency(LatencyKind.EARLY);
        assertThat(early.count()).isEqualTo(2);
        assertThat(early.maxMillis()).isCloseTo(5, within(0.01));
        assertThat(window.numbers(2).latency(LatencyKind.E2E).count()).isEqualTo(3);
        assertThat(window.numbers(2).latency(LatencyKind.E2E).maxMillis()).isLessThan(0.001);
    }

    @Test
    void endToEndCountsFromWhenItWasDue() {
        recorder.received(2, 2, at(100), at(170), 20);
        Numbers total = total();
        assertThat(total.latency(LatencyKind.E2E).millis(100)).isCloseTo(70, within(0.1));
        assertThat(total.received()).isEqualTo(2);
        assertThat(total.bytesReceived()).isEqualTo(20);
    }

    @Test
    void aBacklogIsCountedWithoutALatency() {
        recorder.read(2, 3, at(100), 30);
        Numbers total = total();
        assertThat(total.received()).isEqualTo(3);
        assertThat(total.bytesReceived()).isEqualTo(30);
        assertThat(total.latency(LatencyKind.E2E).empty()).isTrue();
    }

    @Test
    void eventsDuringAStepAreCountedApartFromItsDueMessages() {
        recorder.acked(2, 3, 3, at(900), at(900), at(1100), 30);
        recorder.ackedDuring(3, 3, 3, at(1100), 30);
        recorder.received(2, 2, at(900), at(1200), 20);
        recorder.receivedDuring(3, 2, at(1200), 20);
        recorder.close();
        Snapshot window = windows.get(0);
        assertThat(window.index()).isEqualTo(1);
        Numbers due = window.numbers(2);
        Numbers during = window.numbers(3);
        assertThat(List.of(
                        due.acked(), due.received(), due.count(Count.ACKED_DURING), due.count(Count.RECEIVED_DURING)))
                .containsExactly(3L, 2L, 0L, 0L);
        assertThat(List.of(
                        during.acked(),
                        during.received(),
                        during.count(Count.ACKED_DURING),
                        during.count(Count.RECEIVED_DURING)))
                .containsExactly(0L, 0L, 3L, 2L);
        assertThat(List.of(during.count(Count.BYTES_ACKED_DURING), during.count(Count.BYTES_RECEIVED_DURING)))
                .containsExactly(30L, 20L);
    }

    @Test
    void warmUpLeftoversAreCountedOutsideTheMeasuredSeconds() {
        recorder.acked(2, 1, 1, at(60_000), at(60_000), at(60_100), 10);
        recorder.unsent(1, 2, 2, at(100), at(60_500), 0);
        recorder.unresolved(1, 1, 1, at(100), at(100), at(60_500));
        recorder.close();
        Numbers last = windows.get(windows.size() - 1).all();
        assertThat(last.latency(LatencyKind.RESPONSE).millis(100)).isCloseTo(100, within(0.1));
        assertThat(last.latency(LatencyKind.SERVICE).millis(100)).isCloseTo(100, within(0.1));
        assertThat(List.of(last.count(Count.UNSENT), last.count(Count.UNRESOLVED)))
                .containsExactly(2L, 1L);
    }

    @Test
    void failuresNeverImproveAPercentile() {
        recorder.failed(2, 1, 1, at(0), at(0), at(1), 120 * SECOND);
        assertThat(p100(LatencyKind.RESPONSE)).isCloseTo(120_000, within(120.0));
        assertThat(p100(LatencyKind.SERVICE)).isCloseTo(120_000, within(120.0));
        assertThat(total().failed()).isEqualTo(1);
    }

    @Test
    void aFailureThatTookLongerThanTheTimeoutCountsInFull() {
        recorder.failed(2, 1, 1, at(0), at(100), at(300), SECOND / 10);
        assertThat(p100(LatencyKind.RESPONSE)).isCloseTo(300, within(0.3));
        assertThat(p100(LatencyKind.SERVICE)).isCloseTo(200, within(0.3));
    }

    @Test
    void unfinishedOperationsGiveALowerBound() {
        recorder.unresolved(2, 4, 4, at(0), at(10), at(500));
        recorder.unsent(2, 5, 5, at(100), at(500), 300);
        Numbers total = total();
        assertThat(total.count(Count.UNRESOLVED)).isEqualTo(4);
        assertThat(total.count(Count.UNSENT)).isEqualTo(5);
        assertThat(total.latency(LatencyKind.RESPONSE).count()).isEqualTo(9);
        assertThat(total.latency(LatencyKind.RESPONSE).censored()).isEqualTo(9);
        assertThat(total.latency(LatencyKind.RESPONSE).millis(50)).isCloseTo(400, within(0.5));
        assertThat(total.latency(LatencyKind.RESPONSE).atLeastBeyond()).isLessThan(50);
        assertThat(total.latency(LatencyKind.SERVICE).count()).isEqualTo(4);
        assertThat(total.latency(LatencyKind.LATE).count())
                .as("unsent may be our doing")
                .isEqualTo(5);
    }

    @Test
    void aWindowIsHandedOverWhenTheNextOneBegins() {
        recorder.due(2, at(10), 1);
        recorder.due(2, at(999), 2);
        assertThat(windows).isEmpty();
        recorder.due(2, at(1000), 4);
        assertThat(windows).hasSize(1);
        assertThat(windows.get(0).index()).isZero();
        assertThat(windows.get(0).numbers(2).due()).isEqualTo(3);
    }

    @Test
    void anIdleThreadHandsOverByTicking() {
        recorder.aborted(3, 2, at(10));
        recorder.tick(at(999));
        assertThat(windows).isEmpty();
        recorder.tick(at(5000));
        assertThat(windows).hasSize(1);
        assertThat(windows.get(0).numbers(3).count(Count.ABORTED)).isEqualTo(2);
        recorder.tick(at(6000));
        recorder.close();
        assertThat(windows).hasSize(1);
    }

    @Test
    void lateEventsComeToTheWindowTheyBelongTo() {
        recorder.due(2, at(3500), 1);
        // A blocked sender catches up with messages that were due meanwhile.
        recorder.due(2, at(500), 2);
        recorder.due(2, at(600), 2);
        recorder.due(2, at(1500), 8);
        recorder.due(2, at(3600), 16);
        recorder.due(2, at(2500), 32);
        recorder.due(2, at(4500), 64);
        recorder.close();
        Series series = new Series();
        windows.forEach(series::add);
        List<String> due = series.take(Long.MAX_VALUE).stream()
                .map(window -> window.index() + ": " + window.numbers(2).due())
                .toList();
        assertThat(due).containsExactly("0: 4", "1: 8", "2: 32", "3: 17", "4: 64");
    }

    @Test
    void eventsBeforeTheOriginAreInTheFirstWindow() {
        recorder.due(0, at(-5), 1);
        recorder.close();
        assertThat(windows.get(0).index()).isZero();
    }

    @Test
    void stepsAreKeptApartInsideAWindow() {
        for (int step = 0; step < 9; step++) {
            recorder.due(step, at(100), step);
        }
        recorder.due(1, at(100), 100);
        recorder.close();
        Snapshot window = windows.get(0);
        assertThat(window.steps()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(window.numbers(1).due()).isEqualTo(101);
        assertThat(window.numbers(8).due()).isEqualTo(8);
        assertThat(window.numbers(99).due()).isZero();
        assertThat(window.all().due()).isEqualTo(136);
    }

    @Test
    void nextWindowStartsEmpty() {
        recorder.acked(2, 1, 1, at(0), at(0), at(900), 10);
        recorder.acked(3, 1, 1, at(1000), at(1000), at(1001), 10);
        recorder.close();
        Numbers second = windows.get(1).all();
        assertThat(second.acked()).isEqualTo(1);
        assertThat(second.latency(LatencyKind.RESPONSE).millis(100)).isLessThan(1.1);
    }

    @Test
    void recorderAllocatesNothing() {
        long[] seen = {0};
        Recorder quiet = new Recorder(0, SECOND, Integer.MAX_VALUE, window -> seen[0] += window.index());
        long thread = Thread.currentThread().getId();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        drive(quiet, 0);
        long before = threads.getThreadAllocatedBytes(thread);
        drive(quiet, 100);
        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(seen[0]).isPositive();
        // 60,000 messages over 20 windows. Reading the counter itself costs some hundred bytes.
        assertThat(allocated).isLessThan(2000);
    }

    private static void drive(Recorder recorder, long fromSecond) {
        for (int i = 0; i < 60_000; i++) {
            long due = fromSecond * SECOND + i * (SECOND / 3000);
            long late = (i * 7919L) % (50 * MILLI);
            int step = 2 + i / 20_000;
            recorder.due(step, due, 1);
            recorder.sent(step, 1, 1, due, due + late, due + late + 500, late / 2, 100);
            recorder.acked(step, 1, 1, due, due + late, due + 3 * late, 100);
            recorder.failed(step, 1, 1, due, due + late, due + 3 * late, 100 * MILLI);
            recorder.received(step, 1, due, due + 4 * late, 100);
            recorder.unresolved(step, 1, 1, due, due + late, due + 5 * late);
            recorder.tick(due);
        }
    }

    @Test
    void stepRateCountsAllAcksDuringTheStep() {
        recorder.acked(2, 3, 3, at(900), at(900), at(1100), 30);
        recorder.ackedDuring(3, 3, 3, at(1100), 30);
        recorder.receivedDuring(3, 2, at(1200), 20);
        recorder.close();
        Series series = new Series();
        windows.forEach(series::add);
        assertThat(series.total(2).acked()).isEqualTo(3);
        assertThat(series.total(2).count(Count.ACKED_DURING)).isZero();
        assertThat(series.total(3).count(Count.ACKED_DURING)).isEqualTo(3);
        assertThat(series.total(3).count(Count.BYTES_ACKED_DURING)).isEqualTo(30);
        assertThat(series.total(3).count(Count.RECEIVED_DURING)).isEqualTo(2);
        assertThat(series.total(3).count(Count.BYTES_RECEIVED_DURING)).isEqualTo(20);
    }

    private static ProducerReads.ValueCounts random(long seed, Map<Long, Integer> naive) {
        SplittableRandom random = new SplittableRandom(seed);
        ProducerReads.ValueCounts tally = new ProducerReads.ValueCounts();
        for (int i = 0; i < 500; i++) {
            long number = random.nextInt(50) * 3001L;
            assertThat(tally.add(number)).isEqualTo(!naive.containsKey(number));
            naive.merge(number, 1, Integer::sum);
        }
        return tally;
    }

    private static void assertSame(ProducerReads.ValueCounts tally, Map<Long, Integer> naive) {
        for (long to = 0; to < 160_000; to += 7919) {
            long bound = to;
            assertThat(tally.times(0, to))
                    .isEqualTo(naive.entrySet().stream()
                            .filter(e -> e.getKey() < bound)
                            .mapToInt(Map.Entry::getValue)
                            .sum());
            assertThat(tally.again(0, to))
                    .isEqualTo(naive.entrySet().stream()
                            .filter(e -> e.getKey() < bound)
                            .mapToInt(e -> e.getValue() - 1)
                            .sum());
        }
        assertThat(tally.repeated().count)
                .isEqualTo(naive.values().stream().filter(times -> times > 1).count());
    }

    @Test
    void readsAreCountedPerValue() {
        Map<Long, Integer> naive = new HashMap<>();
        assertSame(random(1, naive), naive);
    }

    @Test
    void talliesAdd() {
        Map<Long, Integer> naive = new HashMap<>();
        Map<Long, Integer> more = new HashMap<>();
        ProducerReads.ValueCounts tally = random(1, naive);
        tally.addAll(random(2, more));
        more.forEach((number, times) -> naive.merge(number, times, Integer::sum));
        assertSame(tally, naive);
    }

    @Test
    void writtenValueIsReadUnchanged() throws IOException {
        Map<Long, Integer> naive = new HashMap<>();
        byte[] bytes = Written.bytes(random(1, naive)::write);
        assertSame(Written.read(bytes, ProducerReads.ValueCounts::read), naive);
        byte[] deep = {-1, -1, 127};
        assertThatThrownBy(() -> Written.read(deep, ProducerReads.ValueCounts::read))
                .hasMessage("2097151 times one message came; must be at most 10000");
    }
}
