package weir.bridge.delivery;

import java.util.concurrent.atomic.AtomicInteger;

/** An event as it leaves: its attributes as lines of an HTTP head, and its data. Nobody changes it, so all may share it. */
@SuppressWarnings("EI_EXPOSE_REP")
final class CarriedEvent {
    /** In the place of the time when an event was due, of one that does not tell. */
    static final long NO_TIME = Long.MIN_VALUE;

    /** The cost of an event beside its bytes: objects and places in queues. */
    private static final int OVERHEAD = 256;

    private final byte[] lines;
    private final byte[] data;
    private final long dueNanos;
    private final AtomicInteger holders;

    /** {@code holders}: subscribers that are to get it. */
    CarriedEvent(byte[] lines, byte[] data, long dueNanos, int holders) {
        this.lines = lines;
        this.data = data;
        this.dueNanos = dueNanos;
        this.holders = new AtomicInteger(holders);
    }

    byte[] lines() {
        return lines;
    }

    byte[] data() {
        return data;
    }

    /** When it was due, by the clock of this machine; {@link #NO_TIME} when its id does not tell. */
    long dueNanos() {
        return dueNanos;
    }

    int size() {
        return lines.length + data.length + OVERHEAD;
    }

    boolean release() {
        return holders.decrementAndGet() == 0;
    }
}
