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
 * The messages that one sender has to send, and their outcomes. The sender pulls each message when it is due; phases
 * change within {@link #awaitNext}. The sender's own thread calls {@link #awaitNext}, {@link #message} and {@link
 * #queued}; the {@code Load} calls the rest.
 */
public final class Outbox {
    /** The longest time in which a waiting sender may miss the end of its phase. */
    static final long GLANCE_NANOS = 10_000_000;

    public record Surroundings(
            int runTag,
            int producer,
            int topics,
            StepClock steps,
            LongSupplier clock,
            ProcessPauses pauses,
            Failures failures) {
        long own(long fromNanos, long toNanos) {
            return toNanos - fromNanos < ProcessPauses.LEAST_NANOS ? 0 : pauses.within(fromNanos, toNanos);
        }
    }

    final Surroundings around;
    final Pacer pacer;
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

    public Outbox(
            Surroundings around,
            ValueSource values,
            KeySource keys,
            SentLedger ledger,
            Recorder here,
            Outcomes outcomes) {
        this.around = around;
        this.pacer = new Pacer(around.clock);
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
     * Waits until a message is due and makes it {@link #message}. It counts as sent from now on, so the engine's call
     * must follow. Returns false after the last message.
     */
    public boolean awaitNext() {
        outcomes.sentFromHere();
        while (phases.inPhase() || awaitPhase()) {
            if (!ready) {
                // Made before it is due, so that making it delays nothing.
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

    public long sentNanos() {
        return sentNanos;
    }

    public void queued() {
        long queuedNanos = now();
        sends.sent(message.step, 1, message.dueNanos, sentNanos, queuedNanos, backpressureNanos, message.bytes());
        called(sentNanos, queuedNanos);
    }

    /** Returns the messages in batches; a sender uses either these or {@link #awaitNext}. */
    public BatchAccumulator accumulator() {
        return accumulator;
    }

    /** Returns operations of several messages or in transactions; a sender that uses them uses nothing else. */
    public Operations operations(OperationForm form, Operator operator, Consumer<String> events) {
        messagesEach = form.messages();
        return new Operations(this, form, operator, events);
    }

    public long operated() {
        return messagesEach == 1 ? taken.get() : operated.get();
    }

    public boolean dry() {
        return dry;
    }

    public Outcomes outcomes() {
        return outcomes;
    }

    /** Returns the nanoseconds so far in which an operation was due while the one before had not begun. */
    public long behindNanos() {
        return backpressure.behindNanos();
    }

    /** Returns the part of {@link #behindNanos} that we spent between the engine's calls. */
    public long ownNanos() {
        return backpressure.ownNanos();
    }

    public long inFlight() {
        // In this order a message that is resolved in between is at worst counted as still in flight.
        long done = outcomes.count();
        return taken.get() - done;
    }

    /** Adds a phase; the one before should have been cut. */
    public void begin(PhaseSchedule next) {
        phases.begin(next);
    }

    public void close() {
        phases.close();
    }

    /** Counts due messages that were never sent, after both threads have ended. */
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
                now = pacer.await(Math.min(due, now + GLANCE_NANOS));
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

    boolean hasTime() {
        return !phases.more() && !outcomes.sealed();
    }

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

    /**
     * The delay of one sender that the engine's calls explain: how much earlier it would be if no call had taken time. The rest
     * of a delay is our own.
     *
     * <p>Calls and our own work alternate. Without calls the sender would do the same work earlier, but nothing before it is due.
     * So the cost of calls adds up while the sender is behind, and is made good when operations are due later (Lindley's
     * recursion for a queue with one server, applied to the difference of two queues).
     *
     * <p>The sender's thread calls it in the order of time; any thread may read the two sums.
     */
    static final class Backpressure {
        private final AtomicLong behindNanos = new AtomicLong();
        private final AtomicLong ownNanos = new AtomicLong();
        private long lostNanos;
        private long freeNanos = Long.MIN_VALUE;

        private long begunNanos = Long.MIN_VALUE;

        /** Records a call, with {@code own} nanoseconds that the engine did not cause. */
        void call(long startNanos, long endNanos, long own) {
            lostNanos += endNanos - startNanos - own;
            freeNanos = endNanos;
        }

        /** Returns the nanoseconds of delay that calls explain, for the next operation, which was due then. */
        long of(long dueNanos) {
            return dueNanos >= freeNanos ? 0 : Math.min(lostNanos, freeNanos - dueNanos);
        }

        /** Returns the same for an operation that begins now; due times must not decrease. */
        long begin(long dueNanos, long nowNanos) {
            lostNanos = of(dueNanos);
            if (dueNanos < freeNanos) {
                behindNanos.lazySet(behindNanos.get() + nowNanos - Math.max(dueNanos, begunNanos));
                ownNanos.lazySet(ownNanos.get() + nowNanos - freeNanos);
            }
            begunNanos = nowNanos;
            return lostNanos;
        }

        /** Returns the nanoseconds in which an operation was due while the one before had not begun. */
        long behindNanos() {
            return behindNanos.get();
        }

        /** Returns the part of {@link #behindNanos} between calls, which a faster generator would avoid. */
        long ownNanos() {
            return ownNanos.get();
        }
    }
}
