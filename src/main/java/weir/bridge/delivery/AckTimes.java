package weir.bridge.delivery;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The times between the acknowledgement of a record and its coming back, of those of the latest records that this process wrote.
 * The one thread may hear before the other: whoever comes second tells the time.
 */
final class AckTimes {
    private static final int PLACES = 1 << 15;
    private static final int OFFSET_BITS = 44;

    private final RungFigures figures;
    /** Which record it is: as such when it was acknowledged, its complement when it was fetched before. */
    private final AtomicLongArray keys = new AtomicLongArray(PLACES);

    private final AtomicLongArray times = new AtomicLongArray(PLACES);

    AckTimes(RungFigures figures) {
        this.figures = figures;
    }

    private static long key(int partition, long offset) {
        // Never zero, which stands in an empty place.
        return (partition + 1L) << OFFSET_BITS | offset;
    }

    private static int place(long key) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 49);
    }

    void acked(int partition, long offset, long nanos) {
        long key = key(partition, offset);
        int place = place(key);
        if (keys.compareAndSet(place, ~key, 0)) {
            figures.fetched(0);
        } else {
            times.set(place, nanos);
            keys.set(place, key);
        }
    }

    void fetched(int partition, long offset, long nanos) {
        long key = key(partition, offset);
        int place = place(key);
        long acked = times.get(place);
        if (keys.compareAndSet(place, key, 0)) {
            figures.fetched(Math.max(0, nanos - acked));
        } else {
            keys.set(place, ~key);
        }
    }
}
