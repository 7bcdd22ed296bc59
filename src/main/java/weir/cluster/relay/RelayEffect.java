package weir.cluster.relay;

import java.time.Duration;

/** An effect of a relay on its traffic, in force until it is closed. Any thread may read it. */
public final class RelayEffect implements AutoCloseable {
    private static final long LASTING = Long.MAX_VALUE;

    private final Relay relay;
    private final Kind kind;
    private final Relay.Direction direction;
    /** Delay in nanoseconds, or rate in bytes a second. */
    private final long amount;

    private final long jitterNanos;
    private final int source;
    private long startNanos;
    private long endNanos = LASTING;
    private int connections;
    private long bytes;
    private long chunks;
    private long delayNanos;

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

    public synchronized long startNanos() {
        return startNanos;
    }

    /** The end of the effect; fails while it is in force. */
    public synchronized long endNanos() {
        if (endNanos == LASTING) {
            throw new IllegalStateException("the relay already has the effect: " + kind);
        }
        return endNanos;
    }

    public synchronized int connections() {
        return connections;
    }

    public synchronized long bytes() {
        return bytes;
    }

    /** The mean time of affected chunks in the relay; zero without chunks. */
    public synchronized Duration meanDelay() {
        return chunks == 0 ? Duration.ZERO : Duration.ofNanos(delayNanos / chunks);
    }

    @Override
    public void close() {
        relay.end(this);
    }

    // Only the relay's thread calls the methods below.

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

    synchronized void count(long count, long heldNanos) {
        bytes += count;
        chunks++;
        delayNanos += heldNanos;
    }
}
