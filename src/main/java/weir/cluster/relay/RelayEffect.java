package weir.cluster.relay;

import java.time.Duration;

/** One thing that a relay does to what passes, until it is closed, and what it did so far. Any thread reads it. */
public final class RelayEffect implements AutoCloseable {
    private static final long LASTING = Long.MAX_VALUE;

    private final Relay relay;
    private final Kind kind;
    private final Relay.Direction direction;
    /** The delay in nanoseconds, or the rate in bytes a second. */
    private final long amount;

    private final long jitterNanos;
    private final int source;
    private long startNanos;
    private long endNanos = LASTING;
    private int connections;
    private long bytes;
    private long chunks;
    private long delayNanos;

    /** The kinds of effects that a relay can have. */
    public enum Kind {
        DELAY,
        STALL,
        LIMIT,
        SWALLOW,
        CUT
    }

    RelayEffect(Relay relay, Kind kind, Relay.Direction direction, long amount, long jitterNanos, int source) {
        this.relay = relay;
        this.kind = kind;
        this.direction = direction;
        this.amount = amount;
        this.jitterNanos = jitterNanos;
        this.source = source;
    }

    public Kind kind() {
        return kind;
    }

    public Relay.Direction direction() {
        return direction;
    }

    long amount() {
        return amount;
    }

    long jitterNanos() {
        return jitterNanos;
    }

    boolean concerns(int connected) {
        return source == Relay.ANYBODY || source == connected;
    }

    /** When it was in force. */
    public synchronized long startNanos() {
        return startNanos;
    }

    /** When it was undone; fails while it lasts. */
    public synchronized long endNanos() {
        if (endNanos == LASTING) {
            throw new IllegalStateException("the relay still does it: " + kind);
        }
        return endNanos;
    }

    /** Connections that were there when it began, or came later. */
    public synchronized int connections() {
        return connections;
    }

    /** Bytes it was done to: delayed, held up, slowed down, or dropped. */
    public synchronized long bytes() {
        return bytes;
    }

    /** How long those bytes were in the relay, on average over the chunks they came in; zero of none. */
    public synchronized Duration meanDelay() {
        return chunks == 0 ? Duration.ZERO : Duration.ofNanos(delayNanos / chunks);
    }

    /** Undoes it. Twice does no harm. */
    @Override
    public void close() {
        relay.end(this);
    }

    // All below belongs to the relay's thread.

    synchronized boolean lasts() {
        return endNanos == LASTING;
    }

    synchronized void begins(long nanos, int open) {
        startNanos = nanos;
        connections = open;
    }

    synchronized void ends(long nanos) {
        endNanos = nanos;
    }

    synchronized void connected() {
        connections++;
    }

    synchronized void did(long count, long heldNanos) {
        bytes += count;
        chunks++;
        delayNanos += heldNanos;
    }
}
