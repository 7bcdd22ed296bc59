package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.load.Load;
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
 * {@link Load}.
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
        long now() {
            return clock.getAsLong();
        }

        /** Returns the part of a long call that is our own doing. */
        long own(long fromNanos, long toNanos) {
            return toNanos - fromNanos < ProcessPauses.LEAST_NANOS ? 0 : pauses.within(fromNanos, toNanos);
        }
    }

    private final Surroundings around;
    private final ValueSource values;
    private final KeySource keys;
    private final SentLedger ledger;
    private final Recorder here;
    private final Outcomes outcomes;
    private final SendRun sends;
    private final Backpressure backpressure = new Backpressure();
    private final Message message = new Message();
    private final AtomicLong taken = new AtomicLong();
    private final PhaseQueue phases;
    private final BatchAccumulator accumulator;
    private final AtomicLong operated = new AtomicLong();
    private int messagesEach = 1;
    private volatile boolean dry;
    private PhaseSchedule phase = PhaseSchedule.none();
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
        this.sends = new SendRun(here);
        this.phases = new PhaseQueue(around.producer);
        this.accumulator = new BatchAccumulator(
                around, values, keys, ledger, here, new BatchAccumulator.Shared(phases, outcomes, backpressure, taken));
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
        while (true) {
            if (phase.over() && !awaitPhase()) {
                tick(now());
                return false;
            }
            long due = phase.next();
            if (due == Schedule.NEVER) {
                phase.end(now());
            } else if (phase.closed() ? awaitRoom(due) : awaitDue(due)) {
                return true;
            } else {
                giveUp(due);
            }
        }
    }

    /** The message to send now. */
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
        sends.add(message, sentNanos, queuedNanos, backpressureNanos);
        backpressure.call(sentNanos, queuedNanos, around.own(sentNanos, queuedNanos));
    }

    /** The same messages many at once, for an engine that sends them so. A sender uses either these or {@link #awaitNext}. */
    public BatchAccumulator accumulator() {
        return accumulator;
    }

    /** The same for operations of several messages, or in transactions. A sender uses these, or nothing else. */
    public Operations operations(OperationForm form, Consumer<String> events) {
        messagesEach = form.messages();
        Operations.Shared shared =
                new Operations.Shared(phases, outcomes, backpressure, taken, operated, () -> dry = true, events);
        return new Operations(around, new Operations.Contents(values, keys), form, ledger, here, shared);
    }

    /** Operations begun. */
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

    /** Messages sent. */
    long sent() {
        return taken.get();
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

    /** No more phases. */
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
        while (phase.over()) {
            phase = phases.after(phase);
            if (phase.over()) {
                if (phases.none() || !phases.await(GLANCE_NANOS / 1_000_000)) {
                    return false;
                }
                tick(now());
            }
        }
        outcomes.limit(phase.atOnce() != PhaseSchedule.NO_LIMIT);
        return true;
    }

    private boolean awaitDue(long due) {
        prepare();
        long now = now();
        while (now < due) {
            if (now >= phase.cutNanos()) {
                return false;
            }
            if (due - now > GLANCE_NANOS) {
                tick(now);
            }
            now = around.pacer.await(Math.min(due, now + GLANCE_NANOS));
        }
        boolean past = phase.past(now);
        if (due >= phase.cutNanos()
                || (past && phase.givesUp(due, backpressure.of(due), now, !phases.more() && !outcomes.sealed()))) {
            return false;
        }
        take(due, now);
        return true;
    }

    private boolean awaitRoom(long start) {
        prepare();
        long now = now();
        while (now < start || inFlight() >= phase.atOnce()) {
            if (now >= phase.cutNanos()) {
                return false;
            }
            tick(now);
            if (now < start) {
                now = around.pacer.await(Math.min(start, now + GLANCE_NANOS));
            } else {
                outcomes.awaitMore(taken.get() - phase.atOnce(), GLANCE_NANOS);
                now = now();
            }
        }
        if (now >= phase.cutNanos()) {
            return false;
        }
        take(now, now);
        return true;
    }

    /** A thread that waits looks up now and then, so that what it knows is not held back. */
    private void tick(long now) {
        sends.flush();
        here.tick(now);
    }

    private void giveUp(long due) {
        // A closed loop owes nothing: its operations are due when they are sent.
        if (!phase.closed()) {
            phase.putBack(due);
            phases.giveUp(phase, backpressure.of(due), 0, now());
        }
        phase.end(now());
    }

    /** Makes the message ahead of its time, so that making it delays nothing. */
    private void prepare() {
        if (!ready) {
            message.value = values.next(upcoming);
            message.key = keys.next(upcoming, message.value);
            message.header = !values.generated() || message.value.length < Identity.SMALLEST_VALUE;
            message.topic = (int) ((upcoming + around.producer) % around.topics);
            ready = true;
        }
    }

    private void take(long due, long now) {
        message.dueNanos = due;
        message.step = around.steps.stepAt(due);
        ledger.due(message.step, 1);
        message.sequence = ledger.next(message.step, 1);
        Identity.write(
                message.header ? message.identity : message.value,
                around.runTag,
                around.producer,
                message.sequence,
                due);
        sentNanos = now;
        backpressureNanos = backpressure.begin(due, now);
        taken.lazySet(taken.get() + 1);
        upcoming++;
        ready = false;
    }

    private long now() {
        return around.now();
    }
}
