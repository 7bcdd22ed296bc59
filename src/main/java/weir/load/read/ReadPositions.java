package weir.load.read;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/** The offset up to which each partition has been read. The readers write, any thread looks. */
public final class ReadPositions {
    private final AtomicLongArray next;
    private final AtomicIntegerArray ours;
    private final boolean alone;

    /** {@code alone}: no other worker reads, so a partition without a reader waits for one of ours. */
    public ReadPositions(long[] from, boolean alone) {
        this.next = new AtomicLongArray(from);
        this.ours = new AtomicIntegerArray(from.length);
        this.alone = alone;
    }

    void assigned(int partition, long offset) {
        ours.set(partition, 1);
        next.set(partition, offset);
    }

    void revoked(int partition) {
        ours.set(partition, 0);
    }

    public long next(int partition) {
        return next.get(partition);
    }

    public void next(int partition, long offset) {
        next.lazySet(partition, offset);
    }

    public long[] all() {
        long[] all = new long[next.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = next.get(i);
        }
        return all;
    }

    boolean ours(int partition) {
        return alone || ours.get(partition) == 1;
    }

    /** Records between our positions and these ends. */
    public long missing(long[] ends) {
        long missing = 0;
        for (int i = 0; i < ends.length; i++) {
            missing += ours(i) ? Math.max(0, ends[i] - next.get(i)) : 0;
        }
        return missing;
    }

    /** Records between these beginnings and our positions. */
    public long passed(long[] beginnings) {
        long passed = 0;
        for (int i = 0; i < beginnings.length; i++) {
            passed += ours(i) ? next.get(i) - beginnings[i] : 0;
        }
        return passed;
    }
}
