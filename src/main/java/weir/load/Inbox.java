package weir.load;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.pace.Pacer;

/**
 * What one reader received. Its receiver asks whether it is open, says what arrived, batch by batch, and where it stands.
 * All of that belongs to the receiver's thread; the rest is for the {@link Load}.
 */
public final class Inbox {
    private static final long NOWHERE = -1;
    private static final long HAND_OVER_NANOS = 1_000_000_000;
    private static final long GLANCE_NANOS = 10_000_000;

    /** What an inbox needs to know of the load around it. */
    record Surroundings(int runTag, StepClock steps, LongSupplier clock, Pacer pacer, Positions positions, Gaps gaps) {}

    /** How the messages of an inbox are counted. */
    enum Counting {
        /** As they arrive, with the time since each was due. */
        ARRIVALS,
        /** At the pace of the stage: the messages were waiting, nobody waited for them. */
        BACKLOG,
        /** In the ledger only. */
        LEDGER_ONLY
    }

    private final Surroundings around;
    private final Counting counting;
    private final int reader;
    private final ReadLedger ledger;
    private final Recorder recorder;
    private final long[] expected;
    private final Deque<Pace> coming = new ArrayDeque<>();
    private Pace pace = Pace.closed(0, new AtomicLong(), 1);
    private long arrivedNanos;
    private long handedOverNanos;
    private int backlogStep;
    private int backlogCount;
    private long backlogBytes;
    private volatile boolean closed;

    Inbox(Surroundings around, Counting counting, int reader, int partitions, ReadLedger ledger, Recorder recorder) {
        this.around = around;
        this.counting = counting;
        this.reader = reader;
        this.ledger = ledger;
        this.recorder = recorder;
        pace.end(0);
        this.expected = new long[partitions];
        Arrays.fill(expected, NOWHERE);
    }

    public int reader() {
        return reader;
    }

    /** Nothing will be read any more. */
    public boolean closed() {
        return closed;
    }

    /** Whether messages are wanted now; if not, none should be fetched ahead either. */
    public boolean open() {
        return counting != Counting.BACKLOG || !pace.over() || nextPace(around.clock.getAsLong());
    }

    /** From here on a partition is read by this reader. */
    public void assigned(int partition, long position) {
        expected[partition] = position;
        around.positions.assigned(partition, position);
        ledger.position(partition, position);
    }

    /** From here on a partition may be read by others. */
    public void revoked(int partition) {
        around.positions.revoked(partition);
        ledger.handOver();
    }

    /** Messages arrived together; each is told by {@link #take}. */
    public void arrived(long nanos) {
        arrivedNanos = nanos;
    }

    /** One message. False when it is not wanted any more and was not counted, and nothing after it is. */
    public boolean take(int partition, long offset, Arrival arrival, int bytes) {
        if (counting == Counting.BACKLOG && !mayTake()) {
            return false;
        }
        expect(partition, offset);
        expected[partition] = offset + 1;
        if (!arrival.from(around.runTag)) {
            ledger.foreign(partition, offset);
            return true;
        }
        ledger.received(partition, offset, arrival.producer, arrival.sequence);
        if (counting == Counting.ARRIVALS) {
            recorder.received(around.steps.stepAt(arrival.dueNanos), 1, arrival.dueNanos, arrivedNanos, bytes);
            during(1, bytes);
        } else if (counting == Counting.BACKLOG) {
            count(bytes);
        }
        return true;
    }

    /** Where the reader stands in a partition, after a batch or without one. */
    public void position(int partition, long next) {
        expected[partition] = next;
        stands(partition);
    }

    /** The reader went on to this offset although nothing arrived. */
    public void skipTo(int partition, long next) {
        expect(partition, next);
        position(partition, next);
    }

    private void expect(int partition, long offset) {
        long next = expected[partition];
        if (next != NOWHERE && offset > next) {
            around.gaps.add(partition, next, offset);
        }
    }

    /** The offset behind the last message of this partition that was taken: there the reader stands, and goes on. */
    public long stands(int partition) {
        long next = expected[partition];
        ledger.position(partition, next);
        around.positions.next(partition, next);
        return next;
    }

    /** After each batch, empty ones too. */
    public void done(long nowNanos) {
        if (backlogCount > 0) {
            recorder.read(backlogStep, backlogCount, arrivedNanos, backlogBytes);
            during(backlogCount, backlogBytes);
            backlogCount = 0;
            backlogBytes = 0;
        }
        recorder.tick(nowNanos);
        if (nowNanos - handedOverNanos >= HAND_OVER_NANOS) {
            handedOverNanos = nowNanos;
            ledger.handOver();
        }
    }

    public synchronized void begin(Pace next) {
        coming.add(next);
    }

    void close() {
        closed = true;
    }

    /** Hands over the rest. The receiver's thread must have ended. */
    void settle() {
        done(around.clock.getAsLong());
        ledger.handOver();
        recorder.close();
    }

    private boolean mayTake() {
        while (!pace.over() || nextPace(arrivedNanos)) {
            if (pace.closed() ? claim() : awaitDue()) {
                return true;
            }
            pace.end(arrivedNanos);
        }
        return false;
    }

    private boolean claim() {
        return arrivedNanos < pace.cutNanos() && pace.claim(1) == 1;
    }

    private boolean awaitDue() {
        long due = pace.next();
        long now = around.clock.getAsLong();
        while (now < due && now < pace.cutNanos() && !closed) {
            now = around.pacer.await(Math.min(due, now + GLANCE_NANOS));
        }
        arrivedNanos = now;
        return now >= due && due < pace.cutNanos();
    }

    private void during(int count, long bytes) {
        int running = around.steps.runningAt(arrivedNanos);
        if (running != StepClock.NONE) {
            recorder.receivedDuring(running, count, arrivedNanos, bytes);
        }
    }

    private void count(int bytes) {
        int step = around.steps.stepAt(arrivedNanos);
        if (step != backlogStep) {
            done(arrivedNanos);
            backlogStep = step;
        }
        backlogCount++;
        backlogBytes += bytes;
    }

    /** The stages follow each other without a gap, so the rest of a batch belongs to the next one. */
    private synchronized boolean nextPace(long now) {
        Pace next = coming.peek();
        if (next == null || now < next.startNanos()) {
            return false;
        }
        pace = coming.remove();
        return true;
    }
}
