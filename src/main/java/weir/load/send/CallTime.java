package weir.load.send;

import java.util.Arrays;

/**
 * The part of a delay that was spent inside the sender's own earlier calls: the engine's doing, not ours. Calls and
 * questions come in the order of time, and due times never go back.
 *
 * <p>Short calls close together are kept as one stretch of at most a millisecond, within which the time in calls is
 * taken as spread evenly; a long call always stands exactly.
 */
final class CallTime {
    private static final long STRETCH_NANOS = 1_000_000;
    private static final int MOST = 1 << 20;

    private long[] starts = new long[64];
    private long[] ends = new long[64];
    /** Nanoseconds in calls within the stretch, and before it. */
    private long[] inside = new long[64];

    private long[] before = new long[64];
    private int head;
    private int size;
    private long total;

    /** A call, of which {@code own} nanoseconds were not the engine's doing. */
    void call(long startNanos, long endNanos, long own) {
        long length = endNanos - startNanos - own;
        if (size > 0) {
            int last = index(size - 1);
            boolean joins = endNanos - starts[last] <= STRETCH_NANOS || size == MOST;
            if (joins) {
                ends[last] = endNanos;
                inside[last] += length;
                total += length;
                return;
            }
        }
        if (size == starts.length) {
            grow();
        }
        int next = index(size++);
        starts[next] = startNanos;
        ends[next] = endNanos;
        inside[next] = length;
        before[next] = total;
        total += length;
    }

    /** Nanoseconds in calls between {@code dueNanos} and now, the end of the last call at the earliest. */
    long since(long dueNanos) {
        while (size > 0 && ends[head] <= dueNanos) {
            head = (head + 1) & (starts.length - 1);
            size--;
        }
        if (size == 0) {
            return 0;
        }
        long whole = total - before[head];
        if (dueNanos <= starts[head]) {
            return whole;
        }
        double past = (double) (dueNanos - starts[head]) / (ends[head] - starts[head]);
        return whole - (long) (past * inside[head]);
    }

    private int index(int offset) {
        return (head + offset) & (starts.length - 1);
    }

    private void grow() {
        starts = unrolled(starts);
        ends = unrolled(ends);
        inside = unrolled(inside);
        before = unrolled(before);
        head = 0;
    }

    private long[] unrolled(long[] ring) {
        long[] wider = Arrays.copyOf(Arrays.copyOfRange(ring, head, ring.length), 2 * ring.length);
        System.arraycopy(ring, 0, wider, ring.length - head, head);
        return wider;
    }
}
