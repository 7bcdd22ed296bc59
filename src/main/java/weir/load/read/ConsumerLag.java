package weir.load.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The lag of the readers, in records and in time. The age of the oldest unread record comes from when the end of the
 * log was seen to pass it, evenly between two looks.
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

        long most;
    }

    /**
     * A look at all partitions that are read here; a negative end is not known. Returns whether all were known: a sum without
     * one of them would be too low.
     */
    public boolean look(long nowNanos, long[] endOffsets, ReadPositions positions) {
        records = 0;
        worst = 0;
        seconds = 0;
        boolean known = true;
        for (int i = 0; i < endOffsets.length; i++) {
            if (i == partitions.size()) {
                partitions.add(new Partition());
            }
            // What another worker reads it tells itself.
            if (positions.ours(i)) {
                known &= endOffsets[i] >= 0;
                look(i, nowNanos, endOffsets[i], positions.next(i));
            }
        }
        return known;
    }

    private void look(int which, long nowNanos, long end, long position) {
        if (end < 0) {
            return;
        }
        Partition partition = partitions.get(which);
        partition.unread.add(new End(nowNanos, end));
        while (!partition.unread.isEmpty() && partition.unread.element().offset <= position) {
            partition.read = partition.unread.remove();
        }
        long behind = Math.max(0, end - position);
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

    /** Over all partitions at the last look. */
    public long records() {
        return records;
    }

    /** The lag of the partition that was furthest behind at the last look. */
    public long worstRecords() {
        return worst;
    }

    /** The age of the oldest unread record at the last look. */
    public double seconds() {
        return seconds;
    }

    /** The most that this partition ever was behind. */
    public long most(int partition) {
        return partition < partitions.size() ? partitions.get(partition).most : 0;
    }
}
