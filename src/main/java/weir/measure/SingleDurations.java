package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Exact durations in the order of their ends. A histogram of few operations would lose precision. */
public final class SingleDurations {
    /** The limit of durations in one trial. Above the limit, a trial has only histograms. */
    public static final int MOST = 1_000_000;

    private static final long[] NONE = {};

    private long[] nanos = NONE;
    private int size;

    public long[] values() {
        return Arrays.copyOf(nanos, size);
    }

    void add(long duration, int times) {
        reserve(times);
        Arrays.fill(nanos, size, size + times, Math.max(0, duration));
        size += times;
    }

    void add(SingleDurations other) {
        reserve(other.size);
        System.arraycopy(other.nanos, 0, nanos, size, other.size);
        size += other.size;
    }

    void clear() {
        size = 0;
    }

    private void reserve(int more) {
        if (size + more > nanos.length) {
            nanos = Arrays.copyOf(nanos, Math.max(size + more, 2 * nanos.length));
        }
    }

    void write(DataOutput out) throws IOException {
        Varint.write(out, size);
        for (int i = 0; i < size; i++) {
            Varint.write(out, nanos[i]);
        }
    }

    static SingleDurations read(DataInput in) throws IOException {
        int size = Varint.read(in, MOST, "single durations");
        SingleDurations singles = new SingleDurations();
        // The announced size is not trusted, so no memory is allocated in advance.
        for (int i = 0; i < size; i++) {
            singles.add(Varint.read(in), 1);
        }
        return singles;
    }
}
