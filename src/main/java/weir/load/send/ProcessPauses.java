package weir.load.send;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The pauses of this whole process. In a pause, the process is stopped, has no CPU, or collects garbage. A thread wakes
 * up at regular times, and a late wake-up shows a pause. Weir does not count a pause as time of an engine call.
 */
public final class ProcessPauses {
    public static final long BEAT_NANOS = 4_000_000;

    /** The shortest delay that counts as a pause. Shorter delays happen to any thread of a busy machine. */
    public static final long LEAST_NANOS = 3 * BEAT_NANOS;

    private static final int MOST = 4_096;

    private final LongSupplier clock;
    private final Deque<Span> spans = new ArrayDeque<>();
    private long lastNanos = Long.MAX_VALUE;
    private long allNanos;

    private record Span(long fromNanos, long toNanos) {
        long within(long from, long to) {
            return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
        }
    }

    public ProcessPauses(LongSupplier clock) {
        this.clock = clock;
    }

    public synchronized void beat() {
        long now = clock.getAsLong();
        if (now - lastNanos > LEAST_NANOS && lastNanos != Long.MAX_VALUE) {
            if (spans.size() == MOST) {
                spans.remove();
            }
            Span still = sinceLast(now);
            spans.add(still);
            allNanos += still.toNanos - still.fromNanos;
        }
        lastNanos = now;
    }

    public synchronized long allNanos() {
        return allNanos;
    }

    public synchronized long within(long fromNanos, long toNanos) {
        long still = 0;
        for (Span span : spans) {
            still += span.within(fromNanos, toNanos);
        }
        // The caller may wake up before the thread of this class.
        boolean overdue = lastNanos != Long.MAX_VALUE && toNanos - lastNanos > LEAST_NANOS;
        return overdue ? still + sinceLast(toNanos).within(fromNanos, toNanos) : still;
    }

    private Span sinceLast(long now) {
        return new Span(lastNanos + BEAT_NANOS, now);
    }
}
