package weir.load.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The position of readers in each partition, before which all records are read, and the number of skipped offsets. The
 * position in an added partition starts at 0. Only readers change positions; any thread may read them.
 */
public final class ReadPositions {
    private static final int MOST_GAPS = 100_000;
    private static final int NONE = -1;

    private final boolean alone;
    private volatile Position[] positions;
    private final List<Gap> gaps = new ArrayList<>();

    private record Gap(int partition, long from, long to) {}

    private static final class Position {
        final AtomicLong next;
        volatile int reader = NONE;

        Position(long from) {
            this.next = new AtomicLong(from);
        }
    }

    /** {@code alone}: no other worker reads, so this worker must read every partition. */
    public ReadPositions(long[] from, boolean alone) {
        this.positions = Arrays.stream(from).mapToObj(Position::new).toArray(Position[]::new);
        this.alone = alone;
    }

    private Position of(int partition) {
        Position[] now = positions;
        return partition < now.length ? now[partition] : added(partition);
    }

    private synchronized Position added(int partition) {
        Position[] now = positions;
        if (partition >= now.length) {
            Position[] more = Arrays.copyOf(now, partition + 1);
            Arrays.setAll(more, i -> i < now.length ? now[i] : new Position(0));
            positions = more;
        }
        return positions[partition];
    }

    void assigned(int partition, long offset, int reader) {
        Position position = of(partition);
        position.reader = reader;
        position.next.set(offset);
    }

    void revoked(int partition) {
        of(partition).reader = NONE;
    }

    public long next(int partition) {
        return of(partition).next.get();
    }

    public void next(int partition, long offset) {
        of(partition).next.lazySet(offset);
    }

    public long[] all() {
        return Arrays.stream(positions)
                .mapToLong(position -> position.next.get())
                .toArray();
    }

    boolean readHere(int partition) {
        return alone || of(partition).reader != NONE;
    }

    boolean readBy(int reader, int partition) {
        return of(partition).reader == reader;
    }

    public long missing(long[] ends) {
        long missing = 0;
        for (int i = 0; i < ends.length; i++) {
            missing += readHere(i) ? Math.max(0, ends[i] - next(i)) : 0;
        }
        return missing;
    }

    /** Returns the number of records between these start offsets, or the first record, and the positions. */
    public long passed(long[] beginnings) {
        long passed = 0;
        for (int i = 0; i < positions.length; i++) {
            passed += readHere(i) ? next(i) - (i < beginnings.length ? beginnings[i] : 0) : 0;
        }
        return passed;
    }

    void skipped(int partition, long from, long to) {
        synchronized (gaps) {
            if (gaps.size() < MOST_GAPS) {
                gaps.add(new Gap(partition, from, to));
            }
        }
    }

    /**
     * Returns the number of skipped offsets that have expired, by the oldest remaining offset. Other skipped offsets
     * are control records or were removed by compaction.
     */
    public long expired(int partition, long beginning) {
        synchronized (gaps) {
            return gaps.stream()
                    .filter(gap -> gap.partition == partition)
                    .mapToLong(gap -> Math.max(0, Math.min(gap.to, beginning) - gap.from))
                    .sum();
        }
    }
}
