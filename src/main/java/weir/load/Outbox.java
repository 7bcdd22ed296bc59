package weir.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Pacer;
import weir.pace.Schedule;

/**
 * What one sender has to send, and what became of it. Its sender pulls each message when it is due and says what happens
 * to it; stages come and go behind {@link #awaitNext} without the sender noticing.
 *
 * <p>{@link #awaitNext}, {@link #message} and {@link #queued} belong to the sender's own thread. {@link #acked} belongs to
 * one other thread, that of the acknowledgements; {@link #failed} to those two. The rest is for the {@link Load}.
 */
public final class Outbox {
    /** How long a waiting sender may be blind to the end of its stage. */
    private static final long GLANCE_NANOS = 10_000_000;

    /** An operation due just before the end of a stage is not given up for the time it takes to wake up. */
    private static final long GRACE_NANOS = 10_000_000;

    /** Due times of operations that were given up are booked together within such a span. */
    private static final long SPAN_NANOS = 1_000_000;

    /** What an outbox needs to know of the load around it. */
    record Surroundings(
            int runTag,
            int producer,
            int topics,
            StepClock steps,
            LongSupplier clock,
            Pacer pacer,
            Failures failures) {}

    private final Surroundings around;
    private final ValueSource values;
    private final KeySource keys;
    private final SentLedger ledger;
    private final Recorder here;
    private final Recorder there;
    private final long timeoutNanos;
    private final CallTime calls = new CallTime();
    private final Message message = new Message();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong doneHere = new AtomicLong();
    private final AtomicLong doneThere = new AtomicLong();
    private final Deque<Pace> coming = new ArrayDeque<>();
    private final List<Pace> givenUp = new ArrayList<>();
    private Pace pace = Pace.closed(0, new AtomicLong(), 1);
    private long sentNanos;
    private long upcoming;
    private boolean ready;
    private boolean closed;
    private volatile long sealedNanos = Schedule.NEVER;
    private volatile boolean waiting;
    private volatile Thread owner = Thread.currentThread();

    /**
     * @param here records for the sender's thread
     * @param there records for the thread of the acknowledgements
     * @param timeoutNanos after which the engine itself gives a message up
     */
    Outbox(
            Surroundings around,
            ValueSource values,
            KeySource keys,
            SentLedger ledger,
            Recorder here,
            Recorder there,
            long timeoutNanos) {
        this.around = around;
        this.values = values;
        this.keys = keys;
        this.ledger = ledger;
        this.here = here;
        this.there = there;
        this.timeoutNanos = timeoutNanos;
        pace.end(0);
    }

    public int producer() {
        return around.producer;
    }

    /**
     * Waits until a message is due and makes it {@link #message}. From now on it counts as sent, so the engine's call comes
     * next. False when there will never be another.
     */
    public boolean awaitNext() {
        owner = Thread.currentThread();
        while (true) {
            if (pace.over() && !awaitPace()) {
                here.tick(now());
                return false;
            }
            long due = pace.next();
            if (due == Schedule.NEVER) {
                pace.end(now());
            } else if (pace.closed() ? awaitRoom(due) : awaitDue(due)) {
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
        long held = Math.min(calls.since(message.dueNanos), sentNanos - message.dueNanos);
        here.sent(message.step, 1, message.dueNanos, sentNanos, queuedNanos, held, message.bytes());
        calls.call(sentNanos, queuedNanos);
    }

    public void acked(int step, long sequence, long dueNanos, long sentNanos, long ackedNanos, int bytes) {
        there.acked(step, 1, dueNanos, sentNanos, ackedNanos, bytes);
        int running = around.steps.runningAt(ackedNanos);
        if (running != StepClock.NONE) {
            there.ackedDuring(running, 1, ackedNanos, bytes);
        }
        ledger.acked(sequence, 1);
        resolved(doneThere);
    }

    public void failed(int step, long sequence, long dueNanos, long sentNanos, Throwable why) {
        boolean own = Thread.currentThread() == owner;
        Recorder recorder = own ? here : there;
        if (sealedNanos == Schedule.NEVER) {
            recorder.failed(step, 1, dueNanos, sentNanos, now(), timeoutNanos);
            ledger.failed(sequence, 1);
            around.failures.add(why);
        } else {
            // The drain is over and the engine was told to drop what it still had.
            recorder.unresolved(step, 1, dueNanos, sentNanos, sealedNanos);
            ledger.unresolved(sequence, 1);
        }
        resolved(own ? doneHere : doneThere);
    }

    private void resolved(AtomicLong done) {
        done.set(done.get() + 1);
        if (waiting) {
            LockSupport.unpark(owner);
        }
    }

    /** Messages sent. */
    long sent() {
        return taken.get();
    }

    /** Messages sent of which nothing is known yet. */
    long inFlight() {
        // In this order a message that is resolved in between is at worst counted as still in flight.
        long done = doneHere.get() + doneThere.get();
        return taken.get() - done;
    }

    /** Another stage; the one before should have been cut. */
    public synchronized void begin(Pace next) {
        if (closed) {
            throw new IllegalStateException("producer " + around.producer + " has no more stages");
        }
        coming.add(next);
        notifyAll();
    }

    /** No more stages. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** From now on what fails is unresolved: the drain is over. */
    void seal(long endOfDrainNanos) {
        sealedNanos = endOfDrainNanos;
    }

    /** Books what was due and never sent. Both threads must have ended. */
    void settle(long endOfDrainNanos) {
        for (Pace past : givenUp) {
            long due = past.next();
            while (due < past.cutNanos()) {
                int step = around.steps.stepAt(due);
                int count = 1;
                long first = due;
                due = past.next();
                while (due < past.cutNanos() && due - first < SPAN_NANOS && around.steps.stepAt(due) == step) {
                    count++;
                    due = past.next();
                }
                here.due(step, first, count);
                here.unsent(step, count, first, endOfDrainNanos);
                ledger.due(step, count);
                ledger.unsent(step, count);
            }
        }
        givenUp.clear();
        here.close();
        there.close();
    }

    private synchronized boolean awaitPace() {
        while (coming.isEmpty()) {
            if (closed) {
                return false;
            }
            try {
                wait(GLANCE_NANOS / 1_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            here.tick(now());
        }
        pace = coming.remove();
        return true;
    }

    private boolean awaitDue(long due) {
        prepare();
        long now = now();
        while (now < due) {
            if (now >= pace.cutNanos()) {
                return false;
            }
            if (due - now > GLANCE_NANOS) {
                here.tick(now);
            }
            now = around.pacer.await(Math.min(due, now + GLANCE_NANOS));
        }
        if (due >= pace.cutNanos() || now - GRACE_NANOS >= pace.cutNanos()) {
            return false;
        }
        take(due, now);
        return true;
    }

    private boolean awaitRoom(long start) {
        prepare();
        long now = now();
        while (now < start || inFlight() >= pace.atOnce()) {
            if (now >= pace.cutNanos()) {
                return false;
            }
            here.tick(now);
            if (now < start) {
                now = around.pacer.await(Math.min(start, now + GLANCE_NANOS));
            } else {
                waiting = true;
                if (inFlight() >= pace.atOnce()) {
                    LockSupport.parkNanos(this, GLANCE_NANOS);
                }
                waiting = false;
                now = now();
            }
        }
        if (now >= pace.cutNanos()) {
            return false;
        }
        take(now, now);
        return true;
    }

    private void giveUp(long due) {
        // A closed loop owes nothing: its operations are due when they are sent.
        if (!pace.closed()) {
            pace.putBack(due);
            givenUp.add(pace);
        }
        pace.end(now());
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
        here.due(message.step, due, 1);
        sentNanos = now;
        taken.lazySet(taken.get() + 1);
        upcoming++;
        ready = false;
    }

    private long now() {
        return around.clock.getAsLong();
    }
}
