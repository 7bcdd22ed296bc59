package weir.cluster.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import weir.cluster.relay.RelayedConnection.RelayStream;

/** An effect of a relay on its traffic, in force until it is closed. Any thread may read it. */
public final class RelayEffect implements AutoCloseable {
    private static final long LASTING = Long.MAX_VALUE;

    private final Relay relay;
    final Kind kind;
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

    boolean concerns(RelayDirection way) {
        return (source == Relay.ANYBODY || source == way.source)
                && (direction == Relay.Direction.BOTH || direction == way.direction);
    }

    boolean concerns(RelayStream stream) {
        return concerns(stream.way);
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

    /** One direction of a relay for one source, with the effects in force. Owned by the relay's thread. */
    static final class RelayDirection {
        private static final long SECOND = 1_000_000_000L;

        /** The portions a second in which a limited direction moves bytes, so that they flow evenly. */
        private static final int PORTIONS = 100;

        final Relay.Direction direction;
        final int source;
        private final List<RelayEffect> acts = new ArrayList<>();
        private final Random random = new Random();
        private long delayNanos;
        private long jitterNanos;
        private long bytesPerSecond = Long.MAX_VALUE;
        boolean stalled;
        boolean discards;
        private long freeNanos;

        RelayDirection(Relay.Direction direction, int source) {
            this.direction = direction;
            this.source = source;
        }

        void begin(RelayEffect act) {
            acts.add(act);
            judge();
        }

        void end(RelayEffect act) {
            acts.remove(act);
            judge();
        }

        private void judge() {
            delayNanos = amounts(Kind.DELAY).sum();
            jitterNanos = acts.stream().mapToLong(act -> act.jitterNanos).sum();
            bytesPerSecond = amounts(Kind.LIMIT).min().orElse(Long.MAX_VALUE);
            stalled = amounts(Kind.STALL).findAny().isPresent();
            discards = amounts(Kind.SWALLOW).findAny().isPresent();
        }

        private LongStream amounts(Kind kind) {
            return acts.stream().filter(act -> act.kind == kind).mapToLong(act -> act.amount);
        }

        void connected() {
            acts.forEach(RelayEffect::connected);
        }

        long dueNanos(long arrivedNanos) {
            return arrivedNanos + delayNanos + (jitterNanos == 0 ? 0 : (long) (random.nextDouble() * jitterNanos));
        }

        long freeNanos() {
            return bytesPerSecond == Long.MAX_VALUE ? Long.MIN_VALUE : freeNanos;
        }

        int portion() {
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytesPerSecond / PORTIONS));
        }

        void passed(int bytes, long arrivedNanos, long nowNanos) {
            if (bytesPerSecond != Long.MAX_VALUE) {
                freeNanos = Math.max(freeNanos, nowNanos) + (long) ((double) bytes * SECOND / bytesPerSecond);
            }
            for (RelayEffect act : acts) {
                // A delay does not count earlier bytes. A stall counts its held bytes at its end.
                boolean before = act.kind == Kind.DELAY && arrivedNanos < act.startNanos();
                if (!before) {
                    act.count(bytes, nowNanos - arrivedNanos);
                }
            }
        }
    }
}
