package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import weir.load.SomeLots;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Ledger;
import weir.measure.Numbers;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

/** Messages that are recorded together, which count like messages recorded one by one, as exact as a histogram. */
class RunRecorderTest {
    private final StepClock steps = new StepClock();
    private Numbers together = new Numbers();
    private Numbers singly = new Numbers();

    @Test
    void acksInRunsAreTheSameAsOneByOne() {
        steps.begin(Steps.WARMUP, 0, Long.MAX_VALUE);
        steps.begin(Steps.MEASURE, 1_000_000_000L, Long.MAX_VALUE);
        Ledger ledger = new Ledger(List.of("t-0"));
        Recorder one = recorder(part -> singly = singly.plus(part.all()));
        var sent = ledger.sender(0);
        Recorder all = recorder(part -> together = together.plus(part.all()));
        Outcomes run = outcomes(sent, all);
        SplittableRandom random = new SplittableRandom(1);
        long acked = 500_000_000L;
        for (int i = 0; i < 50_000; i++) {
            acked += i % 400 == 0 ? 8_000_000 : 300;
            long due = acked - 20_000_000 - 300L * random.nextInt(10) * (i % 400);
            int step = steps.stepAt(due);
            sent.due(step, 1);
            long sequence = sent.next(step, 1);
            one.acked(step, 1, 1, due, due + 500, acked, 100);
            MessageBatch single = SomeLots.one(sequence, due, due + 500);
            single.step = step;
            run.acked(single, acked, 100);
        }
        run.settle();
        one.close();
        assertThat(ledger.balance(Steps.WARMUP, Steps.MEASURE).of(Count.ACKED)).isEqualTo(50_000);
        assertThat(ledger.balance(Steps.WARMUP, Steps.MEASURE).resolvedTwice()).isZero();
        assertThat(together.acked()).isEqualTo(singly.acked());
        assertThat(together.bytesAcked()).isEqualTo(singly.bytesAcked());
        assertSame(LatencyKind.RESPONSE);
    }

    private static Recorder recorder(Consumer<Snapshot> into) {
        return new Recorder(0, 1_000_000_000L, Integer.MAX_VALUE, into);
    }

    private void assertSame(LatencyKind metric) {
        for (double percentile : List.of(1.0, 50.0, 99.0)) {
            double expected = singly.latency(metric).millis(percentile);
            assertThat(together.latency(metric).millis(percentile)).isCloseTo(expected, within(expected / 500));
        }
    }

    private Outcomes outcomes(SentLedger sent, Recorder recorder) {
        return new Outcomes(
                new Outbox.Context(0, 0, 1, steps, () -> 0, new ProcessPauses(() -> 0), new Failures(event -> {})),
                0,
                sent,
                recorder,
                recorder);
    }

    @Test
    void arrivalsInRunsAreTheSameAsOneByOne() {
        steps.begin(Steps.WARMUP, 0, Long.MAX_VALUE);
        steps.begin(Steps.MEASURE, 1_000_000_000L, Long.MAX_VALUE);
        Recorder one = recorder(part -> singly = singly.plus(part.all()));
        Recorder all = recorder(part -> together = together.plus(part.all()));
        RunRecorder run = new RunRecorder(all, steps);
        SplittableRandom random = new SplittableRandom(2);
        int[] parts = new int[2];
        Recorder counted = recorder(part -> part.steps().forEach(step -> {
            parts[step - 1] += (int) part.numbers(step).received();
        }));
        RunRecorder stepwise = new RunRecorder(counted, steps);
        int measured = 0;
        for (int response = 0; response < 200; response++) {
            long arrived = 900_000_000L + 2_000_000L * response;
            for (int i = 0; i < 400; i++) {
                long due = arrived - 1_500_000 + 300L * random.nextInt(8) * i;
                measured += due >= 1_000_000_000L ? 1 : 0;
                one.received(steps.stepAt(due), 1, due, arrived, 100);
                one.receivedDuring(steps.runningAt(arrived), 1, arrived, 100);
                run.received(due, arrived, 100);
                stepwise.received(due, arrived, 100);
            }
        }
        run.flush();
        stepwise.flush();
        counted.close();
        one.close();
        all.close();
        assertThat(together.received()).isEqualTo(singly.received()).isEqualTo(80_000);
        assertThat(together.bytesReceived()).isEqualTo(singly.bytesReceived());
        assertThat(together.count(Count.RECEIVED_DURING)).isEqualTo(singly.count(Count.RECEIVED_DURING));
        assertThat(parts).containsExactly(80_000 - measured, measured);
        assertSame(LatencyKind.E2E);
    }

    @Test
    void bytesOfABatchThatDoNotDivideEvenlyAreAllCounted() {
        Ledger ledger = new Ledger(List.of("t-0"));
        var sent = ledger.sender(0);
        sent.due(Steps.FILL, 3);
        sent.next(Steps.FILL, 3);
        MessageBatch whole = new MessageBatch();
        whole.alike = true;
        MessageBatch unlike = new MessageBatch();
        unlike.begin(whole);
        for (int i = 0; i < 3; i++) {
            unlike.add(whole, i);
        }
        Recorder recorder = new Recorder(0, 1_000_000, Integer.MAX_VALUE, part -> together = together.plus(part.all()));
        outcomes(sent, recorder).acked(unlike, 10, 100);
        recorder.close();
        assertThat(together.acked()).isEqualTo(3);
        assertThat(together.bytesAcked()).isEqualTo(100);
    }

    @Test
    void ackAfterSilenceIsCountedAtOnce() {
        Ledger ledger = new Ledger(List.of("t-0"));
        var sent = ledger.sender(0);
        sent.due(0, 1);
        long sequence = sent.next(0, 1);
        Recorder recorder = new Recorder(0, 1_000_000, Integer.MAX_VALUE, part -> together = together.plus(part.all()));
        outcomes(sent, recorder).acked(SomeLots.one(sequence, 0, 10), 5_000_000, 7);
        recorder.close();
        assertThat(together.acked()).isEqualTo(1);
        assertThat(together.bytesAcked()).isEqualTo(7);
    }

    @Test
    void anOpenPaceIsItsScheduleFromTheStartOn() {
        Schedule schedule = Schedules.of(
                new RateSpec.Fixed(Rate.of(10), false),
                new MeasureSpec.For(Duration.ofMillis(250)),
                new RateSpec.Senders(1, 1),
                1);
        PhaseSchedule pace = new PhaseSchedule(schedule, 1_000, PhaseSchedule.NO_LIMIT, new AtomicLong(), false);
        List<Long> due = new ArrayList<>();
        for (long next = pace.next(); next != Schedule.NEVER; next = pace.next()) {
            due.add(next);
        }
        assertThat(due).containsExactly(1_000L, 100_001_000L, 200_001_000L);
    }

    @Test
    void returnedDueTimeIsIssuedAgain() {
        PhaseSchedule pace = PhaseSchedule.closed(5, new AtomicLong(1), 1);
        long due = pace.next();
        pace.putBack(due);
        assertThat(pace.next()).isEqualTo(due);
        assertThat(pace.next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void sharedOperationsAreNeverExceeded() {
        AtomicLong left = new AtomicLong(10);
        PhaseSchedule one = PhaseSchedule.closed(0, left, 1);
        PhaseSchedule other = PhaseSchedule.closed(0, left, 1);
        assertThat(one.claim(7) + other.claim(7) + one.claim(7)).isEqualTo(10);
    }

    @Test
    void sharesOfOperationsAddUpExactly() {
        PhaseShare stint = new PhaseShare(
                new PhaseShare.Plan(2, Schedule.CLOSED, PhaseSchedule.NO_LIMIT, 10, 0, Schedule.NEVER, 0, 1));
        long all = 0;
        for (int i = 0; i < 4; i++) {
            PhaseSchedule pace = stint.fixedShare(i, 4);
            while (pace.next() != Schedule.NEVER) {
                all++;
            }
        }
        assertThat(all).isEqualTo(10);
    }

    @Test
    void failureReasonsAreCountedWhileMeasuringAndReportedOnce() {
        List<String> events = new ArrayList<>();
        Failures failures = new Failures(events::add);
        failures.add(new IllegalStateException("batch 7 is too large"), Steps.WARMUP, 5);
        failures.add(new IllegalArgumentException("no"), Steps.WARMUP, 5);
        failures.add(new IllegalStateException("batch 8 is too large"), Steps.MEASURE, 3);
        failures.add(new IllegalStateException("batch 9 is too large"), Steps.MEASURE + 1, 1);
        assertThat(failures.lines()).containsExactly("4 failed: IllegalStateException: batch # is too large");
        assertThat(events).hasSize(2).allMatch(event -> event.startsWith("first failure: "));
    }
}
