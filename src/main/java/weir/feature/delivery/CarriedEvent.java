package weir.feature.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An event that is ready to send: its attributes as header lines of HTTP, and its data. All threads share it.
 *
 * @param dueNanos due time by the clock of this machine; {@link #NO_TIME} if the event's id contains none
 * @param holders number of subscribers that have not yet settled the event
 */
@SuppressWarnings("ArrayRecordComponent")
record CarriedEvent(byte[] lines, byte[] data, long dueNanos, AtomicInteger holders) {
    static final long NO_TIME = Long.MIN_VALUE;
    /** Estimated heap bytes of an event's objects and queue entries, without its content. */
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
