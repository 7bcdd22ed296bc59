package weir.load.read;

import java.util.Arrays;
import java.util.function.LongSupplier;
import weir.load.Load;
import weir.load.message.Arrival;
import weir.load.send.PhaseSchedule;
import weir.load.send.RunRecorder;
import weir.load.send.StepClock;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.pace.Pacer;

/**
 * The messages that one reader received. Its receiver asks whether it is open, says what arrived, batch by batch, and
 * where it stands. All of that belongs to the receiver's thread; the rest is for the {@link Load}.
 */
public final class Inbox {
    private static final long NOWHERE = -1;
    private static final long HAND_OVER_NANOS = 1_000_000_000;

    /** The parts of the load around it that an inbox needs to know. */
    public record Surroundings(
            int runTag, StepClock steps, LongSupplier clock, Pacer pacer, ReadPositions positions, OffsetGaps gaps) {}

    /** The way in which the messages of an inbox are counted. */
    public enum Counting {
        /** As they arrive, with the time since each was due. */
        ARRIVALS,
        /** At the rate of the phase: the messages were waiting, nobody waited for them. */
        BACKLOG,
        /** Like those of a backlog, whoever wrote them. */
        FOREIGN,
        /** Like those of a backlog, without knowing any of them: the ledger hears nothing. */
        HEADERS,
        /** In the ledger only. */
        LEDGER_ONLY;

        private boolean paced() {
            return this == BACKLOG || this == FOREIGN || this == HEADERS;
        }
    }

    private final Surroundings around;
    private final Counting counting;
    private final int reader;
    private final ReadLedger ledger;
    private final Recorder recorder;
    private long[] expected;
    private final RunRecorder runs;
    private final ReadQuota quota;
    private final boolean paced;
    private long handedOverNanos;
    /** Messages of one producer in a row, at offsets in a row, that the ledger does not know yet. */
    private int inRow;

    private int rowPartition;
    private long rowOffset;
    private int rowProducer;
    private long rowSequence;
    /** True when the last one came before; so did all after it, or none, below {@code rowAskAt}. */
    private boolean rowSeen;

    private long rowAskAt;

    private boolean begun = true;

    private volatile long beginsNanos;
    private volatile long takenNanos;

    public Inbox(
            Surroundings around, Counting counting, int reader, int partitions, ReadLedger ledger, Recorder recorder) {
        this.around = around;
        this.counting = counting;
        this.reader = reader;
        this.ledger = ledger;
        this.recorder = recorder;
        this.runs = new RunRecorder(recorder, around.steps);
        this.quota = new ReadQuota(around.clock, around.pacer);
        this.paced = counting.paced();
        this.expected = new long[partitions];
        Arrays.fill(expected, NOWHERE);
    }

    public int reader() {
        return reader;
    }

    public boolean closed() {
        return quota.closed;
    }

    /** True when messages are wanted now; if not, none should be fetched ahead either. */
    public boolean open() {
        return paced ? quota.open() : begun || begins();
    }

    private boolean begins() {
        begun = around.clock.getAsLong() >= beginsNanos;
        return begun;
    }

    /** Before the receiver's thread starts: nothing is wanted until {@link #beginAt} says when. */
    public void waitToBegin() {
        begun = false;
        beginsNanos = Long.MAX_VALUE;
    }

    /** Whatever has arrived and will arrive is wanted from this moment on. */
    public void beginAt(long nanos) {
        beginsNanos = nanos;
    }

    public void assigned(int partition, long position) {
        book();
        if (partition >= expected.length) {
            int before = expected.length;
            expected = Arrays.copyOf(expected, partition + 1);
            Arrays.fill(expected, before, expected.length, NOWHERE);
        }
        expected[partition] = position;
        around.positions.assigned(partition, position);
        reached(partition, position);
    }

    /** From here on a partition may be read by others. */
    public void revoked(int partition) {
        book();
        around.positions.revoked(partition);
        ledger.handOver();
    }

    /** Messages arrived together; each is told by {@link #take}. */
    public void arrived(long nanos) {
        quota.arrived(nanos);
    }

    /** So many messages will be told one after the other, which makes it cheaper to share a backlog with other readers. */
    public void ahead(int messages) {
        quota.ahead(messages);
    }

    /** One message. False when it is not wanted any more and was not counted, and nothing after it is. */
    public boolean take(int partition, long offset, Arrival arrival, int bytes) {
        if (paced && !quota.one()) {
            return false;
        }
        boolean ours = arrival.from(around.runTag);
        if (!ours || !continues(partition, offset, arrival)) {
            book();
            expect(partition, offset);
            expected[partition] = offset + 1;
        }
        if (!ours) {
            ledger.foreign(partition, offset);
            if (counting == Counting.FOREIGN) {
                admitted(1, bytes);
            }
            return true;
        }
        row(partition, offset, arrival);
        if (counting == Counting.LEDGER_ONLY || seen(arrival)) {
            // Counted once, however often it comes; the ledger tells of the rest.
            return true;
        }
        if (counting == Counting.ARRIVALS && arrival.dated) {
            runs.received(arrival.dueNanos, quota.takenNanos, bytes);
        } else if (paced) {
            admitted(1, bytes);
        }
        return true;
    }

    /** How many of so many messages are wanted, of which nobody looks at any; 0 when none is, and nothing after them. */
    public int admit(int messages) {
        return quota.some(messages);
    }

    public void admitted(int messages, long bytes) {
        long nanos = quota.takenNanos;
        if (nanos != takenNanos) {
            takenNanos = nanos;
        }
        runs.read(messages, nanos, bytes);
    }

    private boolean continues(int partition, long offset, Arrival arrival) {
        return inRow > 0
                && arrival.sequence == rowSequence + inRow
                && offset == rowOffset + inRow
                && partition == rowPartition
                && arrival.producer == rowProducer
                && inRow < Integer.MAX_VALUE;
    }

    private void row(int partition, long offset, Arrival arrival) {
        if (inRow == 0) {
            rowPartition = partition;
            rowOffset = offset;
            rowProducer = arrival.producer;
            rowSequence = arrival.sequence;
            rowSeen = false;
            rowAskAt = counting == Counting.LEDGER_ONLY
                            || ledger.fresh(partition, offset, arrival.producer, arrival.sequence)
                    ? Long.MAX_VALUE
                    : arrival.sequence;
        }
        inRow++;
    }

    private boolean seen(Arrival arrival) {
        if (arrival.sequence >= rowAskAt) {
            int stretch = ledger.seen(arrival.producer, arrival.sequence);
            rowSeen = stretch > 0;
            rowAskAt = arrival.sequence + Math.abs(stretch);
        }
        return rowSeen;
    }

    private void book() {
        if (inRow > 0) {
            expected[rowPartition] = rowOffset + inRow;
            ledger.received(rowPartition, rowOffset, rowProducer, rowSequence, inRow);
            inRow = 0;
        }
    }

    /** Where the reader stands in a partition, after a batch or without one. */
    public void position(int partition, long next) {
        book();
        expected[partition] = next;
        stands(partition);
    }

    /** The reader went on to this offset although nothing arrived. */
    public void skipTo(int partition, long next) {
        book();
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
        book();
        long next = expected[partition];
        reached(partition, next);
        around.positions.next(partition, next);
        return next;
    }

    private void reached(int partition, long position) {
        if (counting != Counting.HEADERS) {
            ledger.position(partition, position);
        }
    }

    /** After each batch, empty ones too. */
    public void done(long nowNanos) {
        book();
        runs.flush();
        recorder.tick(nowNanos);
        if (nowNanos - handedOverNanos >= HAND_OVER_NANOS) {
            handedOverNanos = nowNanos;
            ledger.handOver();
        }
    }

    public void begin(PhaseSchedule next) {
        quota.begin(next);
    }

    public void close() {
        quota.close();
    }

    /** When the last message of a backlog was taken; any thread may ask. */
    public long takenNanos() {
        return takenNanos;
    }

    /** Hands over the rest. The receiver's thread must have ended. */
    public void settle() {
        done(around.clock.getAsLong());
        ledger.handOver();
        recorder.close();
    }
}
