package weir.load.send;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import weir.measure.Recorder;
import weir.measure.SentLedger;

/** The phases of one sender or reader, in order, and its abandoned operations. Any thread may begin a phase. */
public final class PhaseQueue {
    private static final long SPAN_NANOS = 1_000_000;

    private final int owner;
    private final Deque<PhaseSchedule> coming = new ArrayDeque<>();
    private final List<GivenUp> givenUp = new ArrayList<>();
    private boolean closed;
    private Runnable waker = () -> {};
    /** The current phase, for the owner's thread only. */
    public PhaseSchedule current = PhaseSchedule.none();

    private record GivenUp(PhaseSchedule phase, long backpressureNanos, long lingerNanos, long nanos) {}

    public PhaseQueue(int owner) {
        this.owner = owner;
    }

    public synchronized void begin(PhaseSchedule next) {
        if (closed) {
            throw new IllegalStateException("producer " + owner + " has no more phases");
        }
        coming.add(next);
        wake();
    }

    public synchronized void close() {
        closed = true;
        wake();
    }

    private synchronized void wake() {
        notifyAll();
        waker.run();
    }

    /** Sets a callback for any thread that begins a phase or closes the queue. */
    public synchronized void wakeBy(Runnable sendersWaker) {
        waker = sendersWaker;
    }

    synchronized boolean none() {
        return closed && coming.isEmpty();
    }

    synchronized boolean more() {
        return !coming.isEmpty();
    }

    public boolean inPhase() {
        return !current.over();
    }

    /** Begins the next phase if its start is not later than {@code nowNanos}. */
    public synchronized boolean next(long nowNanos) {
        boolean started = !coming.isEmpty() && coming.element().startNanos <= nowNanos;
        current = started ? coming.remove() : current;
        return started;
    }

    synchronized boolean await() {
        boolean waited = false;
        while (coming.isEmpty() && !closed && !waited) {
            try {
                wait(DueQueue.POLL_NANOS / 1_000_000);
                waited = true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /**
     * Gives up the rest of the phase, from these due times on. The engine explains at most {@code backpressureNanos} of
     * the delay. A closed loop has no due operations to give up.
     */
    void giveUp(long backpressureNanos, long lingerNanos, long nowNanos, long... dues) {
        if (!current.closed()) {
            current.putBack(dues);
            givenUp.add(new GivenUp(current, backpressureNanos, lingerNanos, nowNanos));
        }
        current.end(nowNanos);
    }

    void settle(StepClock steps, Recorder recorder, SentLedger ledger, int messages, long endOfDrainNanos) {
        for (GivenUp rest : givenUp) {
            PhaseSchedule past = rest.phase;
            long due = past.next();
            while (due < past.cutNanos()) {
                int step = steps.stepAt(due);
                int count = 1;
                long first = due;
                due = past.next();
                while (due < past.cutNanos() && due - first < SPAN_NANOS && steps.stepAt(due) == step) {
                    count++;
                    due = past.next();
                }
                long plannedNanos = Math.min(first + rest.lingerNanos, past.cutNanos());
                long lateNanos = Math.max(0, rest.nanos - plannedNanos - rest.backpressureNanos);
                recorder.due(step, first, count * messages);
                recorder.unsent(step, count, count * messages, first, endOfDrainNanos, lateNanos);
                ledger.due(step, count * messages);
                ledger.unsent(step, count * messages);
            }
        }
        givenUp.clear();
    }
}
