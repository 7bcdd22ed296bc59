package weir.load;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.stream.IntStream;
import weir.load.read.Inbox;
import weir.load.read.ReadPositions;
import weir.load.read.Work;
import weir.load.send.PhaseSchedule;
import weir.load.send.StepClock;
import weir.measure.Balance;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Steps;
import weir.plan.WorkSpec;

/** An inbox as a load gives it to a receiver, with its content. */
public final class OneInbox {
    public static final int RUN_TAG = 77;

    private final Ledger ledger;
    private final ReadPositions positions;
    private final AtomicLong left = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final DoubleAccumulator shortest = new DoubleAccumulator(Math::min, Double.MAX_VALUE);
    private final AtomicLong timed = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    public final Inbox inbox;

    private OneInbox(int partitions, Inbox.Counting counting, WorkSpec spec) {
        ledger = new Ledger(
                IntStream.range(0, partitions).mapToObj(i -> "t-" + i).toList());
        positions = new ReadPositions(new long[partitions], true);
        inbox = inbox(0, partitions, counting, spec);
    }

    private Inbox inbox(int reader, int partitions, Inbox.Counting counting, WorkSpec spec) {
        return new Inbox(
                new Inbox.Context(RUN_TAG, new StepClock(), System::nanoTime, positions),
                counting,
                reader,
                partitions,
                ledger.reader(),
                recorder(),
                thread -> new Work(spec, thread, System::nanoTime));
    }

    private Recorder recorder() {
        return new Recorder(System.nanoTime(), 1_000_000, Integer.MAX_VALUE, part -> {
            received.addAndGet(part.all().received());
            bytes.addAndGet(part.all().bytesReceived());
            Latency e2e = Objects.requireNonNull(part.all().latency(LatencyKind.E2E));
            timed.addAndGet(e2e.count());
            if (!e2e.empty()) {
                shortest.accumulate(e2e.millis(0));
            }
        });
    }

    public static OneInbox ofArrivals(int partitions) {
        return of(partitions, Inbox.Counting.ARRIVALS);
    }

    /** With a backlog or headers, accepts nothing until a test sets the number of wanted messages. */
    public static OneInbox of(int partitions, Inbox.Counting counting) {
        return new OneInbox(partitions, counting, WorkSpec.NONE);
    }

    public static OneInbox ofArrivals(int partitions, WorkSpec work) {
        return new OneInbox(partitions, Inbox.Counting.ARRIVALS, work);
    }

    /** Counts the deliveries of a share group. */
    public static OneInbox ofShareGroup() {
        OneInbox inbox = ofArrivals(1);
        inbox.ledger.share();
        return inbox;
    }

    /** Another reader of the same load. */
    public Inbox another(Inbox.Counting counting) {
        return inbox(1, 1, counting, WorkSpec.NONE);
    }

    /** The group has completed all records before this offset. */
    public void completed(long offset) {
        ReadLedger group = ledger.reader();
        group.position(0, offset);
        group.handOver();
    }

    public void want(long messages) {
        left.set(messages);
        inbox.phases.begin(PhaseSchedule.closed(System.nanoTime(), left, PhaseSchedule.NO_LIMIT));
    }

    public void acked(int producer, int messages) {
        SentLedger sender = ledger.sender(producer);
        sender.due(Steps.FILL, messages);
        sender.acked(sender.next(Steps.FILL, messages), messages);
    }

    public long position(int partition) {
        return positions.next(partition);
    }

    public long[] positions() {
        return positions.all();
    }

    public long received() {
        return received.get();
    }

    /** Returns the shortest time between a message's due time and its arrival. */
    public double shortestMillis() {
        return shortest.get();
    }

    public long timed() {
        return timed.get();
    }

    public long bytes() {
        return bytes.get();
    }

    /** Returns the number of skipped offsets before the new beginning of the partition. */
    public long expired(int partition, long beginning) {
        return positions.expired(partition, beginning);
    }

    public void close() {
        inbox.close();
    }

    /** Call it after the receiver has ended. */
    public Balance balance(long... ends) {
        inbox.settle();
        for (int i = 0; i < ends.length; i++) {
            ledger.end(i, ends[i]);
        }
        return ledger.balance(Steps.FILL);
    }

    public List<String> examples() {
        return ledger.examples(Steps.FILL, Steps.FILL, 5);
    }
}
