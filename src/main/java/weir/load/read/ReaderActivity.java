package weir.load.read;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import weir.measure.DisturbanceReadings;
import weir.measure.ReaderReadings;
import weir.measure.Reading;

/** The time that one reader spends, and its rebalances. The reader's thread reports them, and any thread may ask. */
public final class ReaderActivity {
    private static final double SECOND = 1e9;

    private final int reader;
    private final LongAdder records = new LongAdder();
    private final LongAdder worked = new LongAdder();
    private final LongAdder fetched = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private long lastNanos = Long.MIN_VALUE;
    private boolean interrupted;

    private record Change(String source, String metric, long nanos, double value) {}

    ReaderActivity(int reader) {
        this.reader = reader;
    }

    private String source() {
        return ReaderReadings.READER + "-" + reader;
    }

    /** Reports a poll that returned records. The time until the first of them was due is no fetching. */
    public void fetched(int count, long beganNanos, long dueNanos, long nowNanos) {
        records.add(count);
        fetched.add(Math.max(0, nowNanos - Math.max(beganNanos, dueNanos)));
    }

    void worked(long nanos) {
        worked.add(nanos);
    }

    public void committed(long nanos) {
        committed.add(nanos);
    }

    /** Reports a record; returns the pause in nanoseconds if it is the first one after a rebalance, or -1. */
    long came(long nowNanos) {
        long pause = interrupted && lastNanos != Long.MIN_VALUE ? nowNanos - lastNanos : -1;
        interrupted = false;
        lastNanos = nowNanos;
        if (pause >= 0) {
            changes.add(new Change(source(), ReaderReadings.PAUSE, nowNanos, pause / 1e6));
        }
        return pause;
    }

    /** Reports a change of the reader's partitions, after which it has this number of partitions. */
    public void rebalanced(int partitions, long nowNanos) {
        interrupted = true;
        changes.add(new Change(source(), ReaderReadings.PARTITIONS, nowNanos, partitions));
    }

    public void owns(String partition, long nowNanos) {
        changes.add(
                new Change(DisturbanceReadings.PARTITION + "-" + partition, ReaderReadings.OWNER, nowNanos, reader));
    }

    /** Passes on the rebalances since the last call. */
    public void reportChanges(long originNanos, Consumer<Reading> into) {
        for (Change change = changes.poll(); change != null; change = changes.poll()) {
            into.accept(new Reading((change.nanos - originNanos) / SECOND, change.source, change.metric, change.value));
        }
    }

    public void report(long second, Consumer<Reading> into) {
        into.accept(new Reading(second, source(), ReaderReadings.RECORDS, records.sumThenReset()));
        percent(second, ReaderReadings.WORKING, worked, into);
        percent(second, ReaderReadings.FETCHING, fetched, into);
        percent(second, ReaderReadings.COMMITTING, committed, into);
    }

    private void percent(long second, String metric, LongAdder nanos, Consumer<Reading> into) {
        into.accept(new Reading(second, source(), metric, Math.min(100, 100 * nanos.sumThenReset() / SECOND)));
    }
}
