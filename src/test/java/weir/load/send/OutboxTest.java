package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.measure.Balances.assertCounts;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import weir.load.SomeLots;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Ledger;
import weir.measure.Numbers;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

class OutboxTest {
    private static final long MILLI = 1_000_000;
    private static final int RUN_TAG = 7;

    /** Advances by a microsecond with every reading, so that every wait ends. */
    private final AtomicLong now = new AtomicLong();

    private final List<String> events = new ArrayList<>();
    private final Ledger ledger = new Ledger(List.of("t-0"));
    private final SentLedger sent = ledger.sender(3);
    private final StepClock steps = new StepClock();
    private final ProcessPauses standstills = new ProcessPauses(this::clock);
    private Numbers numbers = new Numbers();
    private final Outbox outbox = outbox(new byte[40]);
    private final MessageBatch one = new MessageBatch();

    private long clock() {
        // A thread that waits by this clock need not wait in real time.
        LockSupport.unpark(Thread.currentThread());
        return now.addAndGet(1_000);
    }

    private Outbox outbox(byte[] value) {
        Recorder here = recorder();
        Outbox.Context context =
                new Outbox.Context(RUN_TAG, 3, 2, steps, this::clock, standstills, new Failures(events::add));
        Outcomes outcomes = new Outcomes(context, 120_000 * MILLI, sent, here, recorder());
        ValueSource values = new ValueSource() {
            @Override
            public byte[] next(long sequence) {
                return value;
            }

            @Override
            public boolean generated() {
                return true;
            }
        };
        return new Outbox(context, values, (sequence, ofValue) -> KeySource.NONE, sent, here, outcomes);
    }

    private Recorder recorder() {
        return new Recorder(0, 1_000 * MILLI, Integer.MAX_VALUE, part -> numbers = numbers.plus(part.all()));
    }

    private static PhaseSchedule perMilli(int operations) {
        return phase(1_000, Duration.ofMillis(operations));
    }

    private static PhaseSchedule phase(double perSecond, Duration length) {
        Schedule schedule = Schedules.of(
                new RateSpec.Fixed(Rate.of(perSecond), false),
                new MeasureSpec.For(length),
                new RateSpec.Senders(1, 1),
                1);
        return new PhaseSchedule(schedule, MILLI, PhaseSchedule.NO_LIMIT, new AtomicLong(), false);
    }

    private void sendTaking(long nanos) {
        assertThat(outbox.awaitNext(one)).isTrue();
        now.addAndGet(nanos);
        outbox.queued(one);
    }

    /** Sends more messages without a delay, and then settles. */
    private void sendAndSettle(int messages) {
        for (int i = 0; i < messages; i++) {
            sendTaking(200);
        }
        outbox.settle(now.get());
    }

    private void ack() {
        outbox.outcomes().acked(one, clock(), outbox.message().bytes());
    }

    @Test
    void delayByABlockedCallIsBackpressure() {
        outbox.dues().phases.begin(perMilli(6));
        sendTaking(5 * MILLI);
        sendAndSettle(5);
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).maxMillis()).isBetween(3.9, 4.1);
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isLessThan(0.02);
        assertThat(numbers.latency(LatencyKind.BLOCKED).maxMillis()).isBetween(4.9, 5.1);
    }

    @Test
    void generatorPauseInsideACallIsLateAndNoBackpressure() {
        outbox.dues().phases.begin(perMilli(60));
        standstills.beat();
        sendTaking(50 * MILLI);
        sendAndSettle(50);
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isBetween(43.0, 49.0);
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).maxMillis()).isLessThan(6);
    }

    @Test
    void longCallWithoutAProcessPauseIsBackpressure() {
        outbox.dues().phases.begin(perMilli(60));
        assertThat(outbox.awaitNext(one)).isTrue();
        for (int i = 0; i < 50; i++) {
            now.addAndGet(MILLI);
            standstills.beat();
        }
        outbox.queued(one);
        sendAndSettle(50);
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).maxMillis()).isBetween(48.0, 50.0);
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isLessThan(0.5);
    }

    @Test
    void delayByTheGeneratorIsLateAndNoBackpressure() {
        outbox.dues().phases.begin(perMilli(6));
        sendTaking(200);
        now.addAndGet(5 * MILLI);
        sendAndSettle(5);
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isBetween(3.9, 4.1);
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).maxMillis()).isLessThan(0.02);
    }

    @Test
    void abandonedMessagesAreUnsentAndWaitUntilTheDrainEnds() {
        steps.begin(Steps.MEASURE, 0, Long.MAX_VALUE);
        PhaseSchedule pace = perMilli(30);
        outbox.dues().phases.begin(pace);
        sendTaking(200);
        ack();
        // Blocked for twenty milliseconds, of which only five belong to the stage.
        pace.cut(6 * MILLI);
        sendTaking(20 * MILLI);
        ack();
        outbox.dues().phases.close();
        assertThat(outbox.awaitNext(one)).isFalse();
        outbox.settle(100 * MILLI);
        Balance balance = ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertCounts(balance, "due 5, unsent 3");
        assertThat(numbers.count(Count.UNSENT)).isEqualTo(3);
        assertThat(numbers.due()).isEqualTo(5);
        assertThat(numbers.latency(LatencyKind.RESPONSE).censored()).isEqualTo(3);
        assertThat(numbers.latency(LatencyKind.RESPONSE).maxMillis()).isBetween(94.0, 98.0);
    }

    @Test
    void failureCountsAsTheFullTimeoutWithItsReason() {
        outbox.dues().phases.begin(perMilli(1));
        sendTaking(200);
        outbox.outcomes().failed(one, new IllegalStateException("batch 17 expired"));
        outbox.settle(now.get());
        assertThat(numbers.failed()).isEqualTo(1);
        assertThat(numbers.latency(LatencyKind.RESPONSE).maxMillis()).isGreaterThan(119_000);
        assertThat(events).containsExactly("first failure: IllegalStateException: batch # expired");
    }

    @Test
    void failureAfterTheDrainIsUnresolved() {
        outbox.dues().phases.begin(perMilli(1));
        sendTaking(200);
        assertThat(outbox.dues().inFlight()).isEqualTo(1);
        outbox.outcomes().seal(50 * MILLI);
        outbox.outcomes().failed(one, new IllegalStateException("closed"));
        outbox.settle(50 * MILLI);
        assertThat(outbox.dues().inFlight()).isZero();
        assertThat(numbers.failed()).isZero();
        assertThat(numbers.count(Count.UNRESOLVED)).isEqualTo(1);
        assertThat(ledger.balance(Steps.FILL).of(Count.UNRESOLVED)).isEqualTo(1);
        assertThat(events).isEmpty();
    }

    @Test
    void inAClosedLoopAMessageIsDueWhenItIsSent() {
        outbox.dues().phases.begin(PhaseSchedule.closed(0, new AtomicLong(2), PhaseSchedule.NO_LIMIT));
        sendTaking(3 * MILLI);
        now.addAndGet(10 * MILLI);
        sendTaking(200);
        assertThat(one.dueNanos).isEqualTo(one.sentNanos);
        outbox.dues().phases.close();
        assertThat(outbox.awaitNext(one)).isFalse();
        outbox.settle(now.get());
        assertThat(numbers.sent()).isEqualTo(2);
        assertThat(numbers.due()).isEqualTo(2);
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isLessThan(0.01);
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).maxMillis()).isLessThan(0.01);
    }

    @Test
    void closedLoopOfOneWaitsForTheAnswer() throws InterruptedException {
        outbox.dues().phases.begin(PhaseSchedule.closed(0, new AtomicLong(2), 1));
        sendTaking(200);
        long due = one.dueNanos;
        Thread broker = new Thread(() -> outbox.outcomes().acked(SomeLots.one(0, due, due), due + 5, 40));
        assertThat(outbox.dues().inFlight()).isEqualTo(1);
        broker.start();
        assertThat(outbox.awaitNext(one)).isTrue();
        assertThat(one.first).isEqualTo(1);
        broker.join();
        assertThat(outbox.dues().inFlight()).isEqualTo(1);
    }

    @Test
    void aPhaseOfAClosedLoopEndsWhenItsLastMessageIsAnswered() {
        PhaseSchedule phase = PhaseSchedule.closed(0, new AtomicLong(1), 1);
        outbox.dues().phases.begin(phase);
        DueQueue dues = outbox.dues();
        MessageBatch batch = new MessageBatch();
        assertThat(dues.departs(10, 0, MILLI)).isEqualTo(MILLI);
        dues.take(batch, MILLI);
        dues.departed(batch, 40);
        assertThat(dues.departs(10, 0, 2 * MILLI)).isGreaterThan(2 * MILLI);
        assertThat(phase.over()).isFalse();
        outbox.outcomes().acked(batch, 3 * MILLI, 40);
        dues.departs(10, 0, 4 * MILLI);
        assertThat(phase.endNanos).isEqualTo(4 * MILLI);
    }

    @Test
    void closedLoopClaimsNoOperationWhileBlocked() {
        AtomicLong left = new AtomicLong(1);
        outbox.dues().phases.begin(PhaseSchedule.closed(0, left, PhaseSchedule.NO_LIMIT));
        assertThat(outbox.dues().departs(false, false, MILLI)).isGreaterThan(MILLI);
        assertThat(left).hasValue(1);
        assertThat(outbox.dues().departs(true, false, 2 * MILLI)).isEqualTo(2 * MILLI);
        assertThat(left).hasValue(0);
    }

    @Test
    void aPhaseDoesNotEndWhileOperationsAreOpen() {
        PhaseSchedule phase = PhaseSchedule.closed(0, new AtomicLong(), PhaseSchedule.NO_LIMIT);
        outbox.dues().phases.begin(phase);
        assertThat(outbox.dues().departs(true, true, MILLI)).isEqualTo(DueQueue.OVER);
        assertThat(phase.over()).isFalse();
        outbox.dues().departs(true, false, MILLI);
        assertThat(phase.over()).isTrue();
    }

    @Test
    void nextPhaseBeginsWithoutTheSender() {
        outbox.dues().phases.begin(perMilli(1));
        outbox.dues().phases.begin(PhaseSchedule.closed(0, new AtomicLong(1), 1));
        sendTaking(200);
        ack();
        sendTaking(200);
        assertThat(one.first).isEqualTo(1);
    }

    @Test
    void customWaiterIsWokenWhenAPhaseBegins() {
        List<String> woken = new ArrayList<>();
        DueQueue lots = outbox.dues();
        lots.phases.wakeBy(() -> woken.add("woken"));
        assertThat(lots.departs(10, 0, clock())).isGreaterThan(now.get());
        outbox.dues().phases.begin(perMilli(1));
        assertThat(woken).hasSize(1);
        assertThat(lots.departs(10, 0, clock())).isEqualTo(MILLI);
        outbox.dues().phases.close();
        assertThat(woken).hasSize(2);
    }

    @Test
    void batchNeverSpansTwoSteps() {
        steps.begin(Steps.WARMUP, 0, Long.MAX_VALUE);
        steps.begin(Steps.MEASURE, 4 * MILLI, Long.MAX_VALUE);
        outbox.dues().phases.begin(perMilli(6));
        DueQueue lots = outbox.dues();
        MessageBatch lot = new MessageBatch();
        now.set(20 * MILLI);
        assertThat(lots.departs(10, 100 * MILLI, now.get())).isEqualTo(4 * MILLI);
        lots.take(lot, now.get());
        assertThat(lot.count).isEqualTo(3);
        assertThat(lot.step).isEqualTo(Steps.WARMUP);
        lots.departed(lot, 120);
        lots.departs(10, 0, now.get());
        lots.take(lot, now.get());
        assertThat(lot.count).isEqualTo(3);
        assertThat(lot.sequence(0)).isEqualTo(3);
        assertThat(lot.step).isEqualTo(Steps.MEASURE);
    }

    @Test
    void messagesBlockedAtTheEndOfTheirStepAreUnsent() {
        steps.begin(Steps.MEASURE, 0, Long.MAX_VALUE);
        PhaseSchedule pace = perMilli(30);
        outbox.dues().phases.begin(pace);
        DueQueue lots = outbox.dues();
        MessageBatch lot = new MessageBatch();
        assertThat(lots.departs(2, 100 * MILLI, 2 * MILLI)).isEqualTo(2 * MILLI);
        lots.take(lot, 2 * MILLI);
        lots.departed(lot, 80);
        outbox.outcomes().acked(lot, 3 * MILLI, 80);
        pace.cut(6 * MILLI);
        // Since the next message should have left, the engine has had no space for it.
        assertThat(lots.departs(2, 100 * MILLI, 4 * MILLI)).isEqualTo(4 * MILLI);
        lots.blocked(4 * MILLI);
        assertThat(lots.departs(2, 100 * MILLI, 20 * MILLI)).isGreaterThan(20 * MILLI);
        outbox.dues().phases.close();
        assertThat(lots.departs(2, 100 * MILLI, 21 * MILLI)).isEqualTo(Schedule.NEVER);
        outbox.settle(100 * MILLI);
        Balance balance = ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertCounts(balance, "due 5, acked 2, unsent 3");
        assertThat(numbers.count(Count.UNSENT)).isEqualTo(3);
    }

    @Test
    void batchingAllocatesNothingPerMessage() {
        outbox.dues().phases.begin(phase(1_000_000, Duration.ofSeconds(1)));
        DueQueue lots = outbox.dues();
        MessageBatch lot = new MessageBatch();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        long at = MILLI;
        for (int i = 0; i < 9_000; i++) {
            if (i == 8_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            at = lots.departs(100, MILLI, at + 100_000);
            lots.take(lot, at);
            assertThat(lot.count).isEqualTo(100);
            lots.departed(lot, 4_000);
            outbox.outcomes().acked(lot, at + 1_000, 4_000);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000 * 1_000L);
    }

    @Test
    void identityIsInAHeaderIfTheValueIsTooSmall() {
        outbox.dues().phases.begin(perMilli(1));
        sendTaking(0);
        Message message = outbox.message();
        assertThat(message.header).isFalse();
        assertThat(Identity.runTag(message.value)).isEqualTo(RUN_TAG);
        assertThat(Identity.producer(message.value)).isEqualTo(3);
        assertThat(Identity.dueNanos(message.value)).isEqualTo(MILLI);
        Outbox tiny = outbox(new byte[Identity.SMALLEST_VALUE - 1]);
        tiny.dues().phases.begin(perMilli(1));
        assertThat(tiny.awaitNext(one)).isTrue();
        assertThat(tiny.message().header).isTrue();
        assertThat(Identity.runTag(tiny.message().identity)).isEqualTo(RUN_TAG);
        assertThat(tiny.message().value).containsOnly(0);
    }

    @Test
    void sendAndAckAllocateNothing() {
        outbox.dues().phases.begin(phase(1_000_000, Duration.ofSeconds(1)));
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 40_000; i++) {
            if (i == 36_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            if (!outbox.awaitNext(one)) {
                throw new AssertionError("ended after " + i);
            }
            outbox.queued(one);
            ack();
        }
        // The sender falls behind all the time, so histograms grow with each doubling of the wait, but not in the last
        // tenth. A single object for each message would be 64,000.
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }
}
