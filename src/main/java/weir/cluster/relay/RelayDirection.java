package weir.cluster.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One direction of a relay, with the effects in force. Owned by the relay's thread. */
final class RelayDirection {
    private static final long SECOND = 1_000_000_000L;

    /** The portions a second in which a limited direction moves bytes, so that they flow evenly. */
    private static final int PORTIONS = 100;

    private final List<RelayEffect> acts = new ArrayList<>();
    private final Random random = new Random();
    private long delayNanos;
    private long jitterNanos;
    private long bytesPerSecond = Long.MAX_VALUE;
    private boolean stalled;
    private boolean discards;
    private long freeNanos;

    void begin(RelayEffect act) {
        acts.add(act);
        judge();
    }

    void end(RelayEffect act) {
        acts.remove(act);
        judge();
    }

    private void judge() {
        delayNanos = amounts(RelayEffect.Kind.DELAY).stream().mapToLong(n -> n).sum();
        jitterNanos = acts.stream().mapToLong(RelayEffect::jitterNanos).sum();
        bytesPerSecond =
                amounts(RelayEffect.Kind.LIMIT).stream().mapToLong(n -> n).min().orElse(Long.MAX_VALUE);
        stalled = !amounts(RelayEffect.Kind.STALL).isEmpty();
        discards = !amounts(RelayEffect.Kind.SWALLOW).isEmpty();
    }

    private List<Long> amounts(RelayEffect.Kind kind) {
        return acts.stream()
                .filter(act -> act.kind() == kind)
                .map(RelayEffect::amount)
                .toList();
    }

    void connected() {
        acts.forEach(RelayEffect::connected);
    }

    long dueNanos(long arrivedNanos) {
        return arrivedNanos + delayNanos + (jitterNanos == 0 ? 0 : (long) (random.nextDouble() * jitterNanos));
    }

    boolean stalled() {
        return stalled;
    }

    boolean discards() {
        return discards;
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
            boolean before = act.kind() == RelayEffect.Kind.DELAY && arrivedNanos < act.startNanos();
            if (!before) {
                act.count(bytes, nowNanos - arrivedNanos);
            }
        }
    }
}
