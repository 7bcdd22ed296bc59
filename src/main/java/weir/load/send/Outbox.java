package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Pacer;
import weir.pace.Schedule;

/**
 * The messages that one sender has to send, and what became of them. Its sender pulls each message when it is due and
 * says what happens to it; phases come and go behind {@link #awaitNext} without the sender noticing.
 *
 * <p>{@link #awaitNext}, {@link #message} and {@link #queued} belong to the sender's own thread; the rest is for the
 * {@code Load}.
 */
public final class Outbox {
    /** How long a waiting sender may be blind to the end of its phase. */
    static final long GLANCE_NANOS = 10_000_000;

    /** The parts of the load around it that an outbox needs to know. */
    public record Surroundings(
            int runTag,
            int producer,
            int topics,
            StepClock steps,
            LongSupplier clock,
            Pacer pacer,
            ProcessPauses pauses) {
        long own(long fromNanos, long toNanos) {
            return toNanos - fromNanos < ProcessPauses.LEAST_NANOS ? 0 : pauses.within(fromNanos, toNanos);
        }
    }

    final Surroundings around;
    final ValueSource values;
    final KeySource keys;
    final SentLedger ledger;
    final Recorder here;
    final Outcomes outcomes;
    final RunRecorder sends;
    final Backpressure backpressure = new Backpressure();
    final PhaseQueue phases;
    final AtomicLong taken = new AtomicLong();
    final AtomicLong operated = new AtomicLong();
    volatile boolean dry;
    private final Message message = new Message();
    private final BatchAccumulator accumulator;
    private int messagesEach = 1;
    private long sentNanos;
    private long backpressureNanos;
    private long upcoming;
    private boolean ready;

    /** {@code here} records for the sender's thread. */
    public Outbox(
            Surroundings around,
            ValueSource values,
            KeySource keys,
            SentLedger ledger,
            Recorder here,
            Outcomes outcomes) {
        this.around = around;
        this.values = values;
        this.keys = keys;
        this.ledger = ledger;
        this.here = here;
        this.outcomes = outcomes;
        this.sends = new RunRecorder(here, around.steps);
        this.phases = new PhaseQueue(around.producer);
        this.accumulator = new BatchAccumulator(this);
    }

    public int producer() {
        return around.producer;
    }

    /**
     * Waits until a message is due and makes it {@link #message}. From now on it counts as sent, so the engine's call comes
     * next. False when there will never be another.
     */
    public boolean awaitNext() {
        outcomes.sentFromHere();
        while (phases.inPhase() || awaitPhase()) {
            if (!ready) {
                // Ahead of its time, so that making it delays nothing.
                make(upcoming);
                message.topic = (int) ((upcoming + around.producer) % around.topics);
                ready = true;
            }
            long due = phases.current.next();
            if (due == Schedule.NEVER) {
                phases.current.end(now());
            } else if (awaitTurn(due)) {
                return true;
            } else {
                phases.giveUp(backpressure.of(due), 0, now(), due);
            }
        }
        tick(now());
        return false;
    }

    public Message message() {
        return message;
    }

    /** When the call for {@link #message} begins, or began. */
    public long sentNanos() {
        return sentNanos;
    }

    /** The engine's call for {@link #message} returned, or threw. */
    public void queued() {
        long queuedNanos = now();
        sends.sent(message.step, 1, message.dueNanos, sentNanos, queuedNanos, backpressureNanos, message.bytes());
        called(sentNanos, queuedNanos);
    }

    /** The same messages many at once, for an engine that sends them so. A sender uses either these or {@link #awaitNext}. */
    public BatchAccumulator accumulator() {
        return accumulator;
    }

    /** The same for operations of several messages, or in transactions. A sender uses these, or nothing else. */
    public Operations operations(OperationForm form, Consumer<String> events) {
        messagesEach = form.messages();
        return new Operations(this, form, events);
    }

    public long operated() {
        return messagesEach == 1 ? taken.get() : operated.get();
    }

    /** True when a stream has nothing more to read. */
    public boolean dry() {
        return dry;
    }

    public Outcomes outcomes() {
        return outcomes;
    }

    /** Nanoseconds, up to now, in which something was due and the operation before it had not begun. */
    public long behindNanos() {
        return backpressure.behindNanos();
    }

    /** The part of {@link #behindNanos} that we took ourselves, between the engine's calls. */
    public long ownNanos() {
        return backpressure.ownNanos();
    }

    /** Messages sent of which nothing is known yet. */
    public long inFlight() {
        // In this order a message that is resolved in between is at worst counted as still in flight.
        long done = outcomes.count();
        return taken.get() - done;
    }

    /** Another phase; the one before should have been cut. */
    public void begin(PhaseSchedule next) {
        phases.begin(next);
    }

    public void close() {
        phases.close();
    }

    /** Counts what was due and never sent. Both threads must have ended. */
    public void settle(long endOfDrainNanos) {
        phases.settle(around.steps, here, ledger, messagesEach, endOfDrainNanos);
        sends.flush();
        outcomes.settle();
    }

    private boolean awaitPhase() {
        while (!phases.next()) {
            if (phases.none() || !phases.await()) {
                return false;
            }
            tick(now());
        }
        outcomes.limit(phases.current.atOnce != PhaseSchedule.NO_LIMIT);
        return true;
    }

    private boolean awaitTurn(long due) {
        PhaseSchedule phase = phases.current;
        boolean closed = phase.closed();
        long now = now();
        while (now < due || (closed && inFlight() >= phase.atOnce)) {
            if (now >= phase.cutNanos()) {
                return false;
            }
            if (closed || due - now > GLANCE_NANOS) {
                tick(now);
            }
            if (now < due) {
                now = around.pacer.await(Math.min(due, now + GLANCE_NANOS));
            } else {
                outcomes.awaitMore(taken.get() - phase.atOnce, GLANCE_NANOS);
                now = now();
            }
        }
        if (closed ? now >= phase.cutNanos() : cutOff(due, now)) {
            return false;
        }
        take(closed ? now : due, now);
        return true;
    }

    private void take(long due, long now) {
        int step = around.steps.stepAt(due);
        ledger.due(step, 1);
        identify(message.topic, step, ledger.next(step, 1), due);
        sentNanos = now;
        backpressureNanos = backpressure.begin(due, now);
        taken.lazySet(taken.get() + 1);
        upcoming++;
        ready = false;
    }

    boolean cutOff(long due, long now) {
        PhaseSchedule phase = phases.current;
        return due >= phase.cutNanos() || (phase.past(now) && phase.givesUp(due, backpressure.of(due), now, hasTime()));
    }

    /** True when there is time for what should have been sent before. */
    boolean hasTime() {
        return !phases.more() && !outcomes.sealed();
    }

    /** A thread that waits looks up now and then, so that what it knows is not held back. */
    void tick(long now) {
        sends.flush();
        here.tick(now);
    }

    void called(long fromNanos, long toNanos) {
        backpressure.call(fromNanos, toNanos, around.own(fromNanos, toNanos));
    }

    long now() {
        return around.clock.getAsLong();
    }

    void make(long number) {
        message.value = values.next(number);
        message.key = keys.next(number, message.value);
        message.header = !values.generated() || message.value.length < Identity.SMALLEST_VALUE;
    }

    Message identify(int topic, int step, long sequence, long due) {
        message.topic = topic;
        message.step = step;
        message.sequence = sequence;
        message.dueNanos = due;
        Identity.write(message.identified(), around.runTag, around.producer, sequence, due);
        return message;
    }
}
