package weir.microbench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import weir.load.message.KeySource;
import weir.load.message.ValueSource;
import weir.load.send.Failures;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.PhaseSchedule;
import weir.load.send.ProcessPauses;
import weir.load.send.StepClock;
import weir.measure.Ledger;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

/** The cost of a message for its sender, from its due time to its ack, without an engine, at a million messages per second. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
public class DueBenchmark {
    private static final int MESSAGES = 8192;
    private static final int EACH = 256;
    private static final int BYTES = 250;
    private static final long GAP_NANOS = 1_000;

    private final byte[] value = new byte[BYTES];
    private long now;
    private final MessageBatch batch = new MessageBatch();
    private final Outbox outbox = outbox();

    private long clock() {
        return now;
    }

    private Outbox outbox() {
        StepClock steps = new StepClock();
        Ledger ledger = new Ledger(List.of("topic-0"));
        SentLedger sent = ledger.sender(0);
        Recorder here = recorder();
        Outbox.Context context = new Outbox.Context(
                0, 0, 1, steps, this::clock, new ProcessPauses(this::clock), new Failures(event -> {}));
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
        Outcomes outcomes = new Outcomes(context, 1_000_000_000, sent, here, recorder());
        Outbox made = new Outbox(context, values, KeySource.KEYLESS, sent, here, outcomes);
        Schedule schedule = Schedules.of(
                new RateSpec.Fixed(Rate.of(1e9 / GAP_NANOS), false),
                new MeasureSpec.For(Duration.ofDays(1)),
                new RateSpec.Senders(1, 1),
                1);
        made.dues().phases.begin(new PhaseSchedule(schedule, 0, PhaseSchedule.NO_LIMIT, new AtomicLong(), false));
        return made;
    }

    private static Recorder recorder() {
        return new Recorder(0, 1_000_000_000, Integer.MAX_VALUE, window -> {});
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void singly() {
        for (int i = 0; i < MESSAGES; i++) {
            now += GAP_NANOS;
            if (!outbox.awaitNext(batch)) {
                throw new IllegalStateException("nothing is due");
            }
            outbox.queued(batch);
            outbox.outcomes().acked(batch, now, BYTES);
        }
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void inBatches() {
        for (int i = 0; i < MESSAGES; i += EACH) {
            now += EACH * GAP_NANOS;
            if (outbox.dues().departs(EACH, EACH * GAP_NANOS, now) > now) {
                throw new IllegalStateException("nothing is due");
            }
            outbox.dues().take(batch, now);
            outbox.dues().departed(batch, (long) batch.count * BYTES);
            outbox.outcomes().acked(batch, now, (long) batch.count * BYTES);
        }
    }
}
