package weir.load.read;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import weir.measure.DisturbanceReadings;
import weir.measure.Reading;

/**
 * The time that one reader spends, and its rebalances. The reader's thread reports them, and any thread may ask. Times
 * of readings about rebalances are exact, all other readings are of one second.
 */
public final class ReaderActivity {
    /** The sources of a reader's readings begin so, such as {@code reader-3}. */
    public static final String READER = "reader";

    /** The sum over all threads of the reader. */
    public static final String WORKING = "working.percent";

    public static final String COMMITTING = "committing.percent";
    /** The share of the second in which a poll returned records that were already due. */
    public static final String FETCHING = "fetching.percent";
    /** The records that polls returned in the second. */
    public static final String RECORDS = "records";
    /** The records that the reader began to work on, the sum of their e2e latencies in ms, and the longest one. */
    public static final String RECEIVED = "received";

    /** The records in the partitions of the reader that it has not read. */
    public static final String LAG = "lag.records";

    public static final String E2E_SUM = "e2e.sum.ms";
    public static final String E2E_MAX = "e2e.max.ms";
    /** Records whose work began before the work on an earlier record of their key ended; only known by key. */
    public static final String OVERLAPS = "overlaps";
    /** The partitions of a group's reader after a change. */
    public static final String PARTITIONS = "partitions";
    /** The time between the last record before a rebalance and the first record after it. */
    public static final String PAUSE = "pause.ms";
    /** The number of the new reader of a partition; the source is the partition. */
    public static final String OWNER = "owner";

    private static final double SECOND = 1e9;

    private final int reader;
    private final LongAdder records = new LongAdder();
    private final LongAdder worked = new LongAdder();
    private final LongAdder fetched = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private final LongAdder overlaps = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder latencies = new LongAdder();
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private long lastNanos = Long.MIN_VALUE;
    private boolean interrupted;

    private record Change(String source, String metric, long nanos, double value) {}

    ReaderActivity(int reader) {
        this.reader = reader;
    }

    private String source() {
        return READER + "-" + reader;
    }

    /** Reports a poll that returned records. The time until the first of them was due is no fetching. */
    public void fetched(int count, long beganNanos, long dueNanos, long nowNanos) {
        records.add(count);
        fetched.add(Math.max(0, nowNanos - Math.max(beganNanos, dueNanos)));
    }

    /** Reports the e2e latency of a record. */
    void received(long nanos) {
        received.increment();
        latencies.add(nanos);
        longest.accumulate(nanos);
    }

    void worked(long nanos) {
        worked.add(nanos);
    }

    public void committed(long nanos) {
        committed.add(nanos);
    }

    /** Reports that the work on a record began before the work on an earlier record of its key ended. */
    public void overlapped() {
        overlaps.increment();
    }

    /** Reports a record; returns the pause in nanoseconds if it is the first one after a rebalance, or -1. */
    long came(long nowNanos) {
        long pause = interrupted && lastNanos != Long.MIN_VALUE ? nowNanos - lastNanos : -1;
        interrupted = false;
        lastNanos = nowNanos;
        if (pause >= 0) {
            changes.add(new Change(source(), PAUSE, nowNanos, pause / 1e6));
        }
        return pause;
    }

    /** Reports a change of the reader's partitions, after which it has this number of partitions. */
    public void rebalanced(int partitions, long nowNanos) {
        interrupted = true;
        changes.add(new Change(source(), PARTITIONS, nowNanos, partitions));
    }

    public void owns(String partition, long nowNanos) {
        changes.add(new Change(DisturbanceReadings.PARTITION + "-" + partition, OWNER, nowNanos, reader));
    }

    /** Passes on the rebalances since the last call. */
    public void reportChanges(long originNanos, Consumer<Reading> into) {
        for (Change change = changes.poll(); change != null; change = changes.poll()) {
            into.accept(new Reading((change.nanos - originNanos) / SECOND, change.source, change.metric, change.value));
        }
    }

    public void reportLag(long second, long behind, Consumer<Reading> into) {
        into.accept(new Reading(second, source(), LAG, behind));
    }

    public void report(long second, Consumer<Reading> into) {
        into.accept(new Reading(second, source(), RECORDS, records.sumThenReset()));
        long overlapped = overlaps.sumThenReset();
        if (overlapped > 0) {
            into.accept(new Reading(second, source(), OVERLAPS, overlapped));
        }
        long some = received.sumThenReset();
        if (some > 0) {
            into.accept(new Reading(second, source(), RECEIVED, some));
            into.accept(new Reading(second, source(), E2E_SUM, latencies.sumThenReset() / 1e6));
            into.accept(new Reading(second, source(), E2E_MAX, longest.getThenReset() / 1e6));
        }
        percent(second, WORKING, worked, into);
        percent(second, FETCHING, fetched, into);
        percent(second, COMMITTING, committed, into);
    }

    private void percent(long second, String metric, LongAdder nanos, Consumer<Reading> into) {
        into.accept(new Reading(second, source(), metric, 100 * nanos.sumThenReset() / SECOND));
    }
}
