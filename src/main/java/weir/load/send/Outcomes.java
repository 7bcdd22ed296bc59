package weir.load.send;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import weir.measure.LatencyKind;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.pace.Schedule;

/**
 * The outcomes of one outbox's messages. Only the engine's thread for acknowledgements calls {@link #acked}. That
 * thread and the sender's thread call {@link #failed}.
 */
public final class Outcomes {
    /** The time without an ack after which the next ack is recorded at once, because it may be the only one. */
    private static final long QUIET_NANOS = 100_000;

    private final Outbox.Context context;
    private final long timeoutNanos;
    private final SentLedger ledger;
    private final Recorder here;
    private final Recorder there;
    private final RunRecorder acks;
    private long firstInRow;

    private int inRow;
    private long ackedNanos;
    private final AtomicLong doneHere = new AtomicLong();
    private final AtomicLong doneThere = new AtomicLong();
    private volatile Thread sender = Thread.currentThread();
    private volatile long sealedNanos = Schedule.NEVER;
    /** True if the sender may wait for the limit in flight, so that each outcome must wake it immediately. */
    private volatile boolean limited;

    private volatile boolean waiting;

    /**
     * @param timeoutNanos the time after which the engine itself gives up a message
     * @param here the recorder of the sender's thread
     * @param there the recorder of the thread for acknowledgements
     */
    public Outcomes(Outbox.Context context, long timeoutNanos, SentLedger ledger, Recorder here, Recorder there) {
        this.context = context;
        this.timeoutNanos = timeoutNanos;
        this.ledger = ledger;
        this.here = here;
        this.there = there;
        this.acks = new RunRecorder(there, context.steps());
    }

    private void ack(int step, long first, int count, long dueNanos, long sentNanos, long nanos, long bytes) {
        if (first != firstInRow + inRow) {
            countRow();
            firstInRow = first;
        }
        inRow += count;
        acks.acked(step, count, dueNanos, sentNanos, nanos, bytes);
        if (nanos - ackedNanos > QUIET_NANOS) {
            flush();
        }
        ackedNanos = nanos;
    }

    private void flush() {
        countRow();
        acks.flush();
    }

    private void countRow() {
        if (inRow > 0) {
            ledger.acked(firstInRow, inRow);
            firstInRow += inRow;
            inRow = 0;
        }
    }

    /** Records an acknowledged batch or message. {@code bytes} is the total size of keys and values. */
    public void acked(MessageBatch batch, long ackedNanos, long bytes) {
        int count = batch.count;
        if (batch.alike) {
            ack(batch.step, batch.first, count, batch.dueNanos, batch.sentNanos, ackedNanos, bytes);
        } else {
            // Only the sum of sizes is exact.
            for (int i = 0; i < count; i++) {
                long size = bytes / count + (i == 0 ? bytes % count : 0);
                ack(batch.step, batch.sequence(i), 1, batch.dues[i], batch.sents[i], ackedNanos, size);
            }
        }
        // Recording once for each batch is cheap, and the next batch may come late.
        if (count > 1) {
            flush();
        }
        countAcked(count);
    }

    private void countAcked(int count) {
        if (!limited) {
            // No thread waits for this count, and a memory fence for each ack would be the largest cost.
            doneThere.lazySet(doneThere.get() + count);
            return;
        }
        doneThere.set(doneThere.get() + count);
        flush();
        LockSupport.unpark(waiting ? sender : null);
    }

    public void failed(MessageBatch batch, Throwable why) {
        Recorder recorder = recorder();
        boolean sealed = sealed();
        int each = batch.alike ? batch.count : 1;
        for (int i = 0; i < batch.count; i += each) {
            failed(recorder, sealed, batch.step, each, each, batch.dueNanos(i), batch.sentNanos(i));
            failed(sealed, batch.sequence(i), each);
        }
        if (!sealed) {
            context.failures().add(why, batch.step, batch.count);
        }
        countDone(batch.count);
    }

    /** Records failures. If {@code sealed}, the engine drops messages after the drain, which count as unresolved. */
    private void failed(
            Recorder recorder, boolean sealed, int step, int operations, int messages, long dueNanos, long sentNanos) {
        if (sealed) {
            recorder.unresolved(step, operations, messages, dueNanos, sentNanos, sealedNanos);
        } else {
            long now = context.clock().getAsLong();
            recorder.failed(step, operations, messages, dueNanos, sentNanos, now, timeoutNanos);
        }
    }

    private void failed(boolean sealed, long first, int count) {
        if (sealed) {
            ledger.unresolved(first, count);
        } else {
            ledger.failed(first, count);
        }
    }

    private Recorder recorder() {
        return Thread.currentThread() == sender ? here : there;
    }

    private void countDone(int count) {
        AtomicLong done = Thread.currentThread() == sender ? doneHere : doneThere;
        done.set(done.get() + count);
        LockSupport.unpark(waiting ? sender : null);
    }

    void over(Operation operation, long nanos) {
        Throwable why = operation.failure;
        if (why == null) {
            acked(operation, nanos);
        } else {
            failed(operation, true, why);
        }
    }

    /** Records an acked operation. Operations may end on any thread, one at a time. */
    synchronized void acked(Operation operation, long ackedNanos) {
        Recorder recorder = recorder();
        // The count comes first, so that a waiting sender does not wait for the recording.
        countDone(operation.messages);
        ledger.acked(operation.batch.first, operation.messages);
        recorder.acked(
                operation.batch.step,
                1,
                operation.messages,
                operation.batch.dueNanos,
                operation.batch.sentNanos,
                ackedNanos,
                operation.bytes);
        int running = context.steps().runningAt(ackedNanos);
        if (running != StepClock.NONE) {
            recorder.ackedDuring(running, 1, operation.messages, ackedNanos, operation.bytes);
        }
    }

    synchronized void answered(Operation operation, long answeredNanos) {
        recorder()
                .part(
                        LatencyKind.CALLBACK,
                        operation.batch.step,
                        answeredNanos,
                        answeredNanos - operation.batch.sentNanos);
    }

    synchronized void aborted(Operation operation, long abortedNanos) {
        recorder().aborted(operation.batch.step, operation.messages, abortedNanos);
        ledger.aborted(operation.batch.first, operation.messages);
        countDone(operation.messages);
    }

    /** Records an operation with failures. If {@code acks}, its acked messages count as acked. */
    synchronized void failed(Operation operation, boolean acks, Throwable why) {
        Recorder recorder = recorder();
        MessageBatch taken = operation.batch;
        boolean sealed = sealed();
        int failures = 0;
        for (int i = 0; i < operation.messages; i++) {
            if (acks && operation.acked[i]) {
                ledger.acked(taken.first + i, 1);
            } else {
                failed(sealed, taken.first + i, 1);
                failures++;
            }
        }
        recorder.ackedInPart(
                taken.step, operation.messages - failures, context.clock().getAsLong());
        failed(recorder, sealed, taken.step, 1, failures, taken.dueNanos, taken.sentNanos);
        if (!sealed) {
            context.failures().add(why, taken.step, Math.max(1, failures));
        }
        countDone(operation.messages);
    }

    long count() {
        return doneHere.get() + doneThere.get();
    }

    void sentFromHere(boolean limit) {
        sender = Thread.currentThread();
        limited = limit;
    }

    void awaitMore(long known, long nanos) {
        waiting = true;
        if (count() <= known) {
            LockSupport.parkNanos(this, nanos);
        }
        waiting = false;
    }

    boolean sealed() {
        return sealedNanos != Schedule.NEVER;
    }

    /** Ends the drain: later failures count as unresolved. */
    public void seal(long endOfDrainNanos) {
        sealedNanos = endOfDrainNanos;
    }

    void settle() {
        flush();
        here.close();
        there.close();
    }
}
