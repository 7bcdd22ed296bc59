package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Sender;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.StepWindow;
import weir.plan.Plans;
import weir.plan.Variant;

@Timeout(30)
class StepPausesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long SECOND_NANOS = 1_000 * TurnedClock.MILLI;

    /** The time beyond the limit in which brokers are asked for the end of the log. */
    private static final long TIME_LIMIT = 15 * SECOND_NANOS;

    private long now;
    private long inFlight;
    private long passed;
    private final List<Long> collected = new ArrayList<>();

    @TempDir
    private Path folder;

    private Load.StepPauses rests(long restSeconds) {
        List<StepWindow> steps = List.of(
                new StepWindow(0, 0, 10 * SECOND, 1, "1/s"),
                new StepWindow(1, (10 + restSeconds) * SECOND, 10 * SECOND, 1, "1/s"),
                new StepWindow(2, (20 + 2 * restSeconds) * SECOND, 10 * SECOND, 1, "1/s"));
        return new Load.StepPauses(steps, 0, () -> inFlight, () -> passed, () -> {
            collected.add(now);
            now += SECOND / 20;
        });
    }

    private void go(Load.StepPauses rests, long seconds) {
        for (long end = now + seconds * SECOND; now < end; now += SECOND / 100) {
            rests.tend(() -> now);
        }
    }

    @Test
    void garbageIsCollectedOnceInEachRestWhenAllHasArrived() {
        Load.StepPauses rests = rests(5);
        go(rests, 40);
        assertThat(collected).hasSize(2);
        assertThat(collected.get(0)).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(collected.get(1)).isBetween(25 * SECOND, 26 * SECOND);
        assertThat(rests.over).extracting(PhaseTimes.Rest::startNanos).containsExactly(10 * SECOND, 25 * SECOND);
        PhaseTimes.Rest first = rests.over.get(0);
        assertThat(first.inFlight()).isZero();
        assertThat(first.collectedNanos() - first.flushedNanos()).isEqualTo(SECOND / 20);
    }

    @Test
    void restWaitsForMessagesInFlightUntilTheNextStep() {
        inFlight = 7;
        Load.StepPauses rests = rests(4);
        go(rests, 15);
        assertThat(collected).hasSize(1);
        assertThat(collected.get(0)).isEqualTo(13 * SECOND);
        assertThat(rests.over.get(0).inFlight()).isEqualTo(7);
    }

    @Test
    void restWaitsAtMostFiveSecondsForMessagesInFlight() {
        inFlight = 7;
        Load.StepPauses rests = rests(60);
        go(rests, 30);
        assertThat(collected).containsExactly(15 * SECOND);
    }

    @Test
    void aReaderThatStillReadsIsWaitedFor() {
        Load.StepPauses rests = rests(5);
        for (int i = 0; i < 1_200; i++, now += SECOND / 100) {
            passed++;
            rests.tend(() -> now);
        }
        assertThat(collected).isEmpty();
        go(rests, 1);
        assertThat(collected).hasSize(1);
    }

    @Test
    void aRestThatIsTooShortForACollectionIsLeftAlone() {
        Load.StepPauses rests = rests(1);
        go(rests, 40);
        assertThat(collected).isEmpty();
        assertThat(rests.over).isEmpty();
    }

    /** Returns the first whole second at which a stage can begin, for this time of the request and this notice. */
    private static long begins(long nanos, long noticeNanos) {
        return ((nanos + noticeNanos) / SECOND + 1) * SECOND;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20, 250, 999, 1_000, 1_001, 1_800, 2_000, 2_500, 2_999, 10_000, 60_000})
    void theMeasuredStageBeginsInTheFirstWholeSecondAfterTheWarmUpAndNoneLater(long millis) {
        long warmup = millis * 1_000_000;
        long whole = (warmup + SECOND - 1) / SECOND * SECOND;
        assertThat(begins(Load.warmupEndNotice(warmup), 100_000_000)).isEqualTo(whole);
        assertThat(begins(Load.warmupEndNotice(warmup), 700_000_000)).isEqualTo(whole);
    }

    @Test
    void openEndedWarmUpHasNoEndNotice() {
        assertThat(Load.warmupEndNotice(Schedule.NEVER)).isEqualTo(Schedule.NEVER);
    }

    @Test
    void silentBrokerDoesNotExtendTheDrainLimit() throws Exception {
        Variant variant = Plans.only("load: { rate: 1000/s, value: { size: 40B } }\nwarmup: none\nmeasure: 1s");
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, 7, 0);
        try (TurnedClock clock = new TurnedClock()) {
            SilentEngine engine = new SilentEngine(clock);
            try (Load load = new Load(plan, Engine.of(engine), payloads, clock, LoadListener.NONE)) {
                load.prepare(Duration.ofSeconds(1));
                clock.start(4);
                load.measure(clock.getAsLong() + 10 * TurnedClock.MILLI);
                engine.silent = true;
                long limit = clock.getAsLong() + SECOND_NANOS;
                assertThat(load.finishSending(limit)).isEqualTo(1_000);
                assertThat(clock.getAsLong()).isBetween(limit, limit + 2 * SECOND_NANOS);
                // All but a second of the time limit passes at once.
                clock.standstill(clock.getAsLong() + SECOND_NANOS / 2, TIME_LIMIT - SECOND_NANOS);
                load.finishReading(limit);
                // The clock may advance by seconds in a pause of 100 real milliseconds.
                assertThat(clock.getAsLong()).isLessThan(limit + 2 * TIME_LIMIT);
                Balance balance = load.finish().balance(Steps.MEASURE);
                assertThat(balance.of(Count.UNRESOLVED)).isEqualTo(1_000);
                assertThat(balance.balances()).isTrue();
                assertThat(balance.of(Count.LOST)).isLessThanOrEqualTo(0);
            }
        }
    }

    /** An engine that accepts all messages, answers none before it is closed, and does not report the end of a log. */
    private static final class SilentEngine implements QuietEngine {
        private final TurnedClock clock;
        private volatile boolean silent;
        private volatile boolean closed;

        SilentEngine(TurnedClock clock) {
            this.clock = clock;
        }

        @Override
        public List<String> partitions() {
            return List.of("t-0");
        }

        @Override
        public long[] ends() {
            return new long[] {silent ? -1 : 0};
        }

        @Override
        public Sender sender(int producer) {
            return new Sender() {
                @Override
                public void carry(Outbox outbox) {
                    List<Runnable> unanswered = new ArrayList<>();
                    MessageBatch next = new MessageBatch();
                    while (outbox.awaitNext(next)) {
                        MessageBatch one = next;
                        outbox.queued(one);
                        unanswered.add(() -> outbox.outcomes().failed(one, new IllegalStateException("closed")));
                        next = new MessageBatch();
                    }
                    while (!closed) {
                        clock.awaitNext();
                    }
                    unanswered.forEach(Runnable::run);
                }

                @Override
                public Duration timeout() {
                    return Duration.ofMinutes(2);
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
