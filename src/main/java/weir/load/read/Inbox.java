package weir.load.read;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import weir.load.Load;
import weir.load.message.Arrival;
import weir.load.message.SerializedValues.ValueReader;
import weir.load.send.PhaseQueue;
import weir.load.send.PhaseSchedule;
import weir.load.send.RunRecorder;
import weir.load.send.StepClock;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.PartitionGaps;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.pace.Pacer;
import weir.plan.ReaderChange;

/**
 * The messages that one reader received. The receiver's thread asks whether the inbox is open, and reports messages and
 * positions. The {@link Load} calls the other methods.
 */
public final class Inbox {
    private static final long NOWHERE = -1;
    private static final long POLL_NANOS = 10_000_000;
    private static final long HAND_OVER_NANOS = 1_000_000_000;
    private static final long HELD_NANOS = 5_000_000;

    public record Context(int runTag, StepClock steps, LongSupplier clock, ReadPositions positions) {}

    public enum Counting {
        /** Counts each message on arrival, with the time since its due time. */
        ARRIVALS,
        /** Counts messages at the rate of the phase. They waited before a reader started, so latency means nothing. */
        BACKLOG,
        /** Counts messages of any writer like a backlog. */
        FOREIGN,
        /** Counts messages like a backlog, without reading their identities, so the ledger lacks them. */
        HEADERS,
        LEDGER_ONLY,
        /** Marks messages as stored, because a share group has already counted its deliveries. */
        STORED;

        private boolean uncounted() {
            return this == LEDGER_ONLY || this == STORED;
        }
    }

    private final Context context;
    private final Pacer pacer;
    private final Counting counting;
    private final int reader;
    private final ReadLedger ledger;
    private final Recorder recorder;
    private long[] expected;
    private final RunRecorder runs;
    private final boolean paced;
    private final PartitionGaps gaps = new PartitionGaps();
    private long handedOverNanos;
    private int inRow;

    private int rowPartition;
    private long rowOffset;
    private int rowProducer;
    private long rowSequence;
    private boolean rowSeen;

    private long rowAskAt;

    private boolean begun = true;
    private boolean positioned = true;
    private ValueReader values = ValueReader.NONE;
    private long taken;

    private final IntFunction<Work> works;
    private final Work work;
    private final ReaderActivity activity;
    private final BooleanSupplier gone = this::closed;
    private volatile boolean held;
    private volatile ReaderChange leaving = ReaderChange.NONE;

    public final PhaseQueue phases;
    private int ahead;
    private int admitted;
    /** The arrival time of the current messages; in a paced backlog not before the last due time. */
    private long arrivalNanos;

    private volatile boolean closed;

    private volatile long beginsNanos;
    private volatile long takenNanos;
    private volatile long passed;

    public Inbox(
            Context context,
            Counting counting,
            int reader,
            int partitions,
            ReadLedger ledger,
            Recorder recorder,
            IntFunction<Work> works) {
        this.context = context;
        this.pacer = new Pacer(context.clock);
        this.counting = counting;
        this.reader = reader;
        this.phases = new PhaseQueue(reader);
        this.ledger = ledger;
        this.recorder = recorder;
        this.runs = new RunRecorder(recorder, context.steps);
        this.paced = counting == Counting.BACKLOG || counting == Counting.FOREIGN || counting == Counting.HEADERS;
        this.expected = new long[partitions];
        Arrays.fill(expected, NOWHERE);
        this.works = works;
        this.work = works.apply(0);
        this.activity = new ReaderActivity(reader);
    }

    public int reader() {
        return reader;
    }

    /** Declares that readers share each partition, so that a reader has no positions and gaps show no loss. */
    public void withoutPositions() {
        positioned = false;
    }

    /** Sets the deserializer of the values that this reader counts. */
    public void values(ValueReader reader) {
        values = reader;
    }

    public ValueReader values() {
        return values;
    }

    /** Returns the number of messages of a reader without positions. Any thread may ask. */
    public long passed() {
        return passed;
    }

    /** Returns the times in which the reader received nothing of a partition although a message was due. */
    public PartitionGaps gaps() {
        return gaps;
    }

    public ReaderActivity activity() {
        return activity;
    }

    public boolean closed() {
        return closed;
    }

    /** Waits while the reader should stand still: it neither fetches, works nor commits. */
    public void awaitRelease() {
        while (held && !closed) {
            LockSupport.parkNanos(this, HELD_NANOS);
        }
    }

    /** Returns the reason why the reader ends before the load; {@link ReaderChange#NONE} if it does not. */
    public ReaderChange leaving() {
        return leaving;
    }

    /** Returns true if the reader should deliver messages now. If false, it should not prefetch messages either. */
    public boolean open() {
        if (paced) {
            return phases.inPhase() || phases.next(context.clock.getAsLong());
        }
        begun = begun || context.clock.getAsLong() >= beginsNanos;
        return begun;
    }

    public void waitToBegin() {
        begun = false;
        beginsNanos = Long.MAX_VALUE;
    }

    public void beginAt(long nanos) {
        beginsNanos = nanos;
    }

    public void assigned(int partition, long position) {
        countRow();
        if (partition >= expected.length) {
            int before = expected.length;
            expected = Arrays.copyOf(expected, partition + 1);
            Arrays.fill(expected, before, expected.length, NOWHERE);
        }
        expected[partition] = position;
        context.positions.assigned(partition, position, reader);
        reached(partition, position);
    }

    public void revoked(int partition) {
        context.positions.revoked(partition);
        handOver();
    }

    /** Records the arrival time of a group of messages, before {@link #take} for each message. */
    public void arrived(long nanos) {
        arrivalNanos = nanos;
    }

    /** Announces the number of messages that follow, which makes the division of a backlog cheaper. */
    public void ahead(int messages) {
        ahead = messages;
    }

    /** Takes and counts one message. Returns false if the reader should deliver neither this message nor later ones. */
    public boolean take(int partition, long offset, Arrival arrival, int bytes) {
        if (paced && !one()) {
            return false;
        }
        taken++;
        if (!note(partition, offset, arrival)) {
            if (counting == Counting.FOREIGN) {
                admitted(1, bytes);
            }
            return true;
        }
        if (counting.uncounted() || seen(arrival)) {
            // A repeated message counts once. The ledger reports repetitions.
            return true;
        }
        if (counting == Counting.ARRIVALS && arrival.dated) {
            if (positioned) {
                gaps.came(partition, arrival.dueNanos, arrivalNanos);
            }
            runs.received(arrival.dueNanos, arrivalNanos, bytes);
            deserialized(arrival, arrival.dueNanos);
            if (works()) {
                activity.received(arrivalNanos - arrival.dueNanos);
            }
        } else if (paced) {
            admitted(1, bytes);
            deserialized(arrival, arrivalNanos);
        }
        return true;
    }

    private void deserialized(Arrival arrival, long ofStep) {
        if (values != ValueReader.NONE) {
            int step = context.steps.stepAt(ofStep);
            recorder.part(LatencyKind.DESERIALIZE, step, arrivalNanos, arrival.deserializeNanos);
        }
    }

    /** Returns true if the reader works on each message. Then it calls {@link #work} after {@link #take}. */
    public boolean works() {
        return !work.none();
    }

    /** Works on the message that the inbox took last, and counts it as processed. */
    public void work(int partition, Arrival arrival) {
        long now = work.perform(arrivalNanos, gone);
        if (!closed || !works()) {
            worked(partition, arrival, now);
        }
    }

    /** Returns the work of one of the reader's threads. */
    public Work workOf(int thread) {
        return works.apply(thread);
    }

    /** Counts the message that the inbox took last as processed. */
    public void worked(int partition, Arrival arrival, long now) {
        activity.worked(now - arrivalNanos);
        if (counting == Counting.ARRIVALS && arrival.from(context.runTag) && arrival.dated && !rowSeen) {
            recorder.part(LatencyKind.PROCESSED, context.steps.stepAt(arrival.dueNanos), now, now - arrival.dueNanos);
        }
        if (positioned) {
            stands(partition);
        }
        done(now);
    }

    /** Reports that the reader got messages, which may end a pause of a rebalance. */
    public void came() {
        long pause = activity.came(arrivalNanos);
        int step = context.steps.runningAt(arrivalNanos);
        if (pause >= 0 && step != StepClock.NONE) {
            recorder.part(LatencyKind.PAUSE, step, arrivalNanos, pause);
        }
    }

    /** Returns true if this run wrote the message. */
    public boolean ours(Arrival arrival) {
        return arrival.from(context.runTag);
    }

    /** Counts a message of the reader only in the ledger; false if another program wrote the message. */
    public boolean note(int partition, long offset, Arrival arrival) {
        boolean ours = ours(arrival);
        if (!ours || !continues(partition, offset, arrival)) {
            countRow();
            if (positioned) {
                expect(partition, offset);
                expected[partition] = offset + 1;
            }
        }
        if (ours) {
            row(partition, offset, arrival);
        } else if (counting != Counting.STORED) {
            ledger.foreign(partition, offset);
        }
        return ours;
    }

    /** Counts a delivery of a share group by its kind. */
    public void delivery(Count what, int producer, long sequence) {
        ledger.delivery(what, producer, sequence);
    }

    /** Lets other readers know the messages, before the group can deliver one of the messages to another reader. */
    public void handOver() {
        countRow();
        ledger.handOver();
    }

    /** Takes messages without reading them. Returns the number of taken messages; 0 if the reader should stop. */
    public int admit(int messages) {
        ahead = messages;
        if (!one()) {
            return 0;
        }
        int more = Math.min(messages - 1, admitted);
        admitted -= more;
        return 1 + more;
    }

    public void admitted(int messages, long bytes) {
        long nanos = arrivalNanos;
        if (nanos != takenNanos) {
            takenNanos = nanos;
        }
        runs.read(messages, nanos, bytes);
    }

    private boolean one() {
        if (admitted == 0) {
            admitted = mayTake(Math.max(1, ahead));
            if (admitted == 0) {
                return false;
            }
        }
        admitted--;
        ahead--;
        return true;
    }

    private int mayTake(int messages) {
        while (phases.inPhase() || phases.next(arrivalNanos)) {
            PhaseSchedule phase = phases.current;
            boolean due = phase.closed() ? arrivalNanos < phase.cutNanos() : awaitDue(phase);
            int some = !due ? 0 : phase.closed() ? phase.claim(messages) : 1;
            if (some > 0) {
                return some;
            }
            phase.end(arrivalNanos);
        }
        return 0;
    }

    private boolean awaitDue(PhaseSchedule phase) {
        long due = phase.next();
        long now = context.clock.getAsLong();
        while (now < due && now < phase.cutNanos() && !closed) {
            now = pacer.await(Math.min(due, now + POLL_NANOS));
        }
        arrivalNanos = now;
        return phase.due(due, now);
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
            // Readers that share a partition deliver in any order, so offsets do not tell which messages are new.
            boolean fresh = positioned && ledger.fresh(partition, offset, arrival.producer, arrival.sequence);
            rowAskAt = counting.uncounted() || fresh ? Long.MAX_VALUE : arrival.sequence;
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

    private void countRow() {
        if (inRow > 0) {
            if (positioned) {
                expected[rowPartition] = rowOffset + inRow;
            }
            if (counting == Counting.STORED) {
                ledger.parked(rowProducer, rowSequence, inRow);
            } else {
                ledger.received(rowPartition, rowOffset, rowProducer, rowSequence, inRow);
            }
            inRow = 0;
        }
    }

    public void position(int partition, long next) {
        countRow();
        expected[partition] = next;
        stands(partition);
    }

    public void skipTo(int partition, long next) {
        countRow();
        expect(partition, next);
        position(partition, next);
    }

    private void expect(int partition, long offset) {
        long next = expected[partition];
        if (next != NOWHERE && offset > next) {
            context.positions.skipped(partition, next, offset);
        }
    }

    public long stands(int partition) {
        countRow();
        long next = expected[partition];
        reached(partition, next);
        context.positions.next(partition, next);
        return next;
    }

    private void reached(int partition, long position) {
        if (counting != Counting.HEADERS && counting != Counting.STORED) {
            ledger.position(partition, position);
        }
    }

    public void done(long nowNanos) {
        countRow();
        passed = taken;
        runs.flush();
        recorder.tick(nowNanos);
        if (nowNanos - handedOverNanos >= HAND_OVER_NANOS) {
            handedOverNanos = nowNanos;
            ledger.handOver();
        }
    }

    public void close() {
        closed = true;
    }

    /** Makes the reader stand still, or continue. */
    public void hold(boolean still) {
        held = still;
    }

    /** Ends the reader before the load. */
    public void leave(ReaderChange how) {
        leaving = how;
        closed = true;
    }

    /** Returns the time of the last taken message of a backlog. Any thread may ask. */
    public long takenNanos() {
        return takenNanos;
    }

    /** Ends the counting, after the end of the receiver's thread. */
    public void settle() {
        done(context.clock.getAsLong());
        ledger.handOver();
        recorder.close();
    }
}
