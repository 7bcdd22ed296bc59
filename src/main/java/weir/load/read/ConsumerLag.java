package weir.load.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The lag of the readers, in records and in time. The age of the oldest unread record is interpolated between two
 * queries of the log's end: the last query before and the first query after the arrival of the record.
 */
public final class ConsumerLag {
    private final List<Partition> partitions = new ArrayList<>();
    private long records;
    private long worst;
    private double seconds;

    private record End(long nanos, long offset) {}

    private static final class Partition {
        final Deque<End> unread = new ArrayDeque<>();

        End read = new End(0, -1);

        long behind;
        long most;
    }

    /** Updates the lag of this worker's partitions; false if an end is unknown (negative) and the sum too low. */
    public boolean update(long nowNanos, long[] endOffsets, ReadPositions positions) {
        records = 0;
        worst = 0;
        seconds = 0;
        boolean known = true;
        for (int i = 0; i < endOffsets.length; i++) {
            if (i == partitions.size()) {
                partitions.add(new Partition());
            }
            // Other workers report their own partitions.
            if (positions.readHere(i)) {
                known &= endOffsets[i] >= 0;
                update(i, nowNanos, endOffsets[i], positions.next(i));
            }
        }
        return known;
    }

    private void update(int which, long nowNanos, long end, long position) {
        if (end < 0) {
            return;
        }
        Partition partition = partitions.get(which);
        partition.unread.add(new End(nowNanos, end));
        while (!partition.unread.isEmpty() && partition.unread.element().offset <= position) {
            partition.read = partition.unread.remove();
        }
        long behind = Math.max(0, end - position);
        partition.behind = behind;
        records += behind;
        worst = Math.max(worst, behind);
        partition.most = Math.max(partition.most, behind);
        if (!partition.unread.isEmpty()) {
            long arrived = arrival(partition.read, partition.unread.element(), position);
            seconds = Math.max(seconds, (nowNanos - arrived) / 1e9);
        }
    }

    private static long arrival(End before, End after, long position) {
        if (before.offset < 0) {
            return after.nanos;
        }
        double share = (double) (position - before.offset) / (after.offset - before.offset);
        return before.nanos + (long) (share * (after.nanos - before.nanos));
    }

    public long records() {
        return records;
    }

    /** Returns the lag of one reader of this worker. */
    public long records(int reader, ReadPositions positions) {
        return IntStream.range(0, partitions.size())
                .filter(i -> positions.readBy(reader, i))
                .mapToLong(i -> partitions.get(i).behind)
                .sum();
    }

    public long worstRecords() {
        return worst;
    }

    /** Returns the age, in seconds, of the oldest unread record at the last update. */
    public double seconds() {
        return seconds;
    }

    public long most(int partition) {
        return partition < partitions.size() ? partitions.get(partition).most : 0;
    }
}
