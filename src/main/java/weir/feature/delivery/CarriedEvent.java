package weir.feature.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An event ready to send: its attributes as lines of an HTTP head, and its data. It is immutable, so all threads share it.
 *
 * @param dueNanos due time by the clock of this machine; {@link #NO_TIME} if its id has none
 * @param holders number of subscribers that still need it
 */
@SuppressWarnings("ArrayRecordComponent")
record CarriedEvent(byte[] lines, byte[] data, long dueNanos, AtomicInteger holders) {
    /** The due time of an event whose id has none. */
    static final long NO_TIME = Long.MIN_VALUE;
    /** Bytes of an event besides its content: objects and places in queues. */
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
