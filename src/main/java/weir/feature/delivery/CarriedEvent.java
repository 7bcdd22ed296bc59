package weir.feature.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An event as it leaves: its attributes as lines of an HTTP head, and its data. It never changes, so all may share it.
 *
 * @param dueNanos when it was due, by the clock of this machine; {@link #NO_TIME} when its id lacks it
 * @param holders subscribers that are to get it
 */
@SuppressWarnings("ArrayRecordComponent")
record CarriedEvent(byte[] lines, byte[] data, long dueNanos, AtomicInteger holders) {
    /** Stands for a due time that the event does not tell. */
    static final long NO_TIME = Long.MIN_VALUE;
    /** The cost of an event besides its bytes: objects and places in queues. */
    private static final int OVERHEAD = 256;

    CarriedEvent(byte[] lines, byte[] data, long dueNanos, int holders) {
        this(lines, data, dueNanos, new AtomicInteger(holders));
    }

    int size() {
        return lines.length + data.length + OVERHEAD;
    }

    boolean release() {
        return holders.decrementAndGet() == 0;
    }
}
