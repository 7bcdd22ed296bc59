package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Sender;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LoadListener;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Plans;
import weir.plan.Variant;

@Timeout(30)
class DrainTest {
    private static final long SECOND = 1_000 * TurnedClock.MILLI;

    /** So long brokers are asked where the log ends, beyond the limit. */
    private static final long PATIENCE = 15 * SECOND;

    @TempDir
    private Path folder;

    @Test
    void aBrokerThatFallsSilentKeepsTheDrainNoLongerThanItsLimit() throws Exception {
        Variant variant = Plans.only("load: { rate: 1000/s, value: { size: 40B } }\nwarmup: none\nmeasure: 1s");
        Payloads payloads = Payloads.of(variant.load(), folder, 1);
        LoadPlan plan = LoadPlans.alone(variant, payloads, 7, 0);
        try (TurnedClock clock = new TurnedClock()) {
            SilentEngine engine = new SilentEngine(clock);
            try (Load load = new Load(plan, Engine.of(engine), payloads, clock, new Unheard())) {
                load.prepare(Duration.ofSeconds(1));
                clock.start(4);
                load.measure(clock.getAsLong() + 10 * TurnedClock.MILLI);
                engine.silent = true;
                long limit = clock.getAsLong() + SECOND;
                assertThat(load.finishSending(limit)).isEqualTo(1_000);
                assertThat(clock.getAsLong()).isBetween(limit, limit + 2 * SECOND);
                // All of the patience but a second goes by at once.
                clock.standstill(clock.getAsLong() + SECOND / 2, PATIENCE - SECOND);
                load.finishReading(limit);
                assertThat(clock.getAsLong()).isLessThan(limit + PATIENCE + 4 * SECOND);
                Balance balance = load.finish().balance(Steps.MEASURE);
                assertThat(balance.of(Count.UNRESOLVED)).isEqualTo(1_000);
                assertThat(balance.balances()).isTrue();
                assertThat(balance.of(Count.LOST)).isLessThanOrEqualTo(0);
            }
        }
    }

    /** Takes all messages, answers none of them before it is closed, and does not say where a log ends. */
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

    private static final class Unheard implements LoadListener {
        @Override
        public void window(Snapshot snapshot) {}
    }
}
