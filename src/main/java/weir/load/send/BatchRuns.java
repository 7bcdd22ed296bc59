package weir.load.send;

import java.util.Arrays;
import weir.measure.Recorder;

/**
 * The messages of one batch that were due in the same moment and waited equally long, as far as a histogram can tell: they are
 * recorded together. Owned by the sender's thread.
 */
final class BatchRuns {
    /** The lowest value that histograms tell from zero. */
    private static final long NOTHING_NANOS = 1_000;

    private final Recorder recorder;
    private int size;
    private int[] counts = new int[64];
    private long[] dues = new long[64];
    private long[] overs = new long[64];
    private long[] backpressures = new long[64];
    private long[] blocked = new long[64];

    BatchRuns(Recorder recorder) {
        this.recorder = recorder;
    }

    void clear() {
        size = 0;
    }

    /**
     * @param over nanoseconds after they were due in which they were sent
     * @param backpressure the part of it that earlier blocked calls explain
     * @param blockedNanos the length of their own call
     */
    void add(long due, int count, long over, long backpressure, long blockedNanos) {
        int last = size - 1;
        if (last >= 0
                && due - dues[last] <= AckRun.MOMENT_NANOS
                && like(over, overs[last])
                && like(backpressure, backpressures[last])
                && like(blockedNanos, blocked[last])) {
            counts[last] += count;
            return;
        }
        if (size == counts.length) {
            int length = 2 * size;
            counts = Arrays.copyOf(counts, length);
            dues = Arrays.copyOf(dues, length);
            overs = Arrays.copyOf(overs, length);
            backpressures = Arrays.copyOf(backpressures, length);
            blocked = Arrays.copyOf(blocked, length);
        }
        counts[size] = count;
        dues[size] = due;
        overs[size] = over;
        backpressures[size] = backpressure;
        blocked[size++] = blockedNanos;
    }

    private static boolean like(long some, long first) {
        return Math.abs(some - first) < Math.max(NOTHING_NANOS, first >> AckRun.INDISTINGUISHABLE);
    }

    /** {@code messages} and {@code bytes} are those of all of them. */
    void record(int step, int messages, long bytes) {
        long counted = 0;
        for (int i = 0; i < size; i++) {
            long before = counted * bytes / messages;
            counted += counts[i];
            long sent = dues[i] + overs[i];
            recorder.due(step, dues[i], counts[i]);
            recorder.sent(
                    step,
                    counts[i],
                    dues[i],
                    sent,
                    sent + blocked[i],
                    backpressures[i],
                    counted * bytes / messages - before);
        }
        size = 0;
    }
}
