package weir.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Schedule;

/**
 * What became of the messages of one outbox. {@link #acked} belongs to the engine's thread of acknowledgements;
 * {@link #failed} to that and to the sender's own.
 */
public final class Outcomes {
    private final Around around;
    private final SentLedger ledger;
    private final Recorder here;
    private final Recorder there;
    private final AckRun acks;
    private final AtomicLong doneHere = new AtomicLong();
    private final AtomicLong doneThere = new AtomicLong();
    private volatile Thread sender = Thread.currentThread();
    private volatile long sealedNanos = Schedule.NEVER;
    /** Whether the sender waits for room at times, so that it must be told at once when there is some. */
    private volatile boolean limited;

    private volatile boolean waiting;

    /**
     * What outcomes need to know of the load around them.
     *
     * @param timeoutNanos after which the engine itself gives a message up
     */
    record Around(StepClock steps, LongSupplier clock, Failures failures, long timeoutNanos) {}

    /**
     * @param here records for the sender's thread
     * @param there records for the thread of the acknowledgements
     */
    Outcomes(Around around, SentLedger ledger, Recorder here, Recorder there) {
        this.around = around;
        this.ledger = ledger;
        this.here = here;
        this.there = there;
        this.acks = new AckRun(there, ledger, around.steps);
    }

    public void acked(int step, long sequence, long dueNanos, long sentNanos, long ackedNanos, int bytes) {
        acks.add(step, sequence, dueNanos, sentNanos, ackedNanos, bytes);
        if (!limited) {
            // Nobody waits for this count, and a fence for each ack would cost more than the rest of it.
            doneThere.lazySet(doneThere.get() + 1);
            return;
        }
        doneThere.set(doneThere.get() + 1);
        acks.flush();
        LockSupport.unpark(waiting ? sender : null);
    }

    public void failed(int step, long sequence, long dueNanos, long sentNanos, Throwable why) {
        boolean own = Thread.currentThread() == sender;
        Recorder recorder = own ? here : there;
        if (sealedNanos == Schedule.NEVER) {
            long now = around.clock.getAsLong();
            recorder.failed(step, 1, dueNanos, sentNanos, now, around.timeoutNanos);
            ledger.failed(sequence, 1);
            around.failures.add(why);
        } else {
            // The drain is over and the engine was told to drop what it still had.
            recorder.unresolved(step, 1, dueNanos, sentNanos, sealedNanos);
            ledger.unresolved(sequence, 1);
        }
        AtomicLong done = own ? doneHere : doneThere;
        done.set(done.get() + 1);
        LockSupport.unpark(waiting ? sender : null);
    }

    /** How many are acked, failed or unresolved. */
    long count() {
        return doneHere.get() + doneThere.get();
    }

    /** The calling thread is the sender's. */
    void sentFromHere() {
        sender = Thread.currentThread();
    }

    /** Whether the sender will {@link #awaitMore} at times. */
    void limit(boolean limit) {
        limited = limit;
    }

    /** Waits for another outcome, but not for long; not at all when there are more than {@code known} already. */
    void awaitMore(long known, long nanos) {
        waiting = true;
        if (count() <= known) {
            LockSupport.parkNanos(this, nanos);
        }
        waiting = false;
    }

    /** From now on what fails is unresolved: the drain is over. */
    void seal(long endOfDrainNanos) {
        sealedNanos = endOfDrainNanos;
    }

    /** Hands over the rest. Both threads must have ended. */
    void settle() {
        acks.flush();
        here.close();
        there.close();
    }
}
