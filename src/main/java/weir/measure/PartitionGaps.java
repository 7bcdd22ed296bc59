package weir.measure;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The times in which a partition gave one client nothing although a message waited: no ack to a producer, no message to
 * a reader. A gap begins with the last ack, or later with the oldest message that waits. One thread reports messages,
 * and any thread may take the gaps.
 */
public final class PartitionGaps {
    /** The shortest time that counts as a gap. */
    public static final long LEAST_NANOS = 20_000_000;

    private static final long NEVER = Long.MAX_VALUE;

    private long[] lastNanos = {};
    private long[] failedSinceNanos = {};
    private final Map<Integer, Gap> longest = new HashMap<>();

    /** A gap of a partition such as {@code orders-3}. */
    public record Gap(String partition, long endNanos, long nanos) {}

    /** Reports an ack or a received message that waited since {@code sinceNanos}. */
    public void came(int partition, long sinceNanos, long nowNanos) {
        reserve(partition);
        long since = Math.max(lastNanos[partition], Math.min(sinceNanos, failedSinceNanos[partition]));
        lastNanos[partition] = nowNanos;
        failedSinceNanos[partition] = NEVER;
        if (nowNanos - since >= LEAST_NANOS) {
            keep(partition, new Gap("", nowNanos, nowNanos - since));
        }
    }

    /** Reports a message that failed. The gap lasts until the next ack of the partition. */
    public void failed(int partition, long sinceNanos) {
        reserve(partition);
        failedSinceNanos[partition] = Math.min(failedSinceNanos[partition], sinceNanos);
    }

    private void reserve(int partition) {
        int before = lastNanos.length;
        if (partition >= before) {
            lastNanos = Arrays.copyOf(lastNanos, partition + 1);
            failedSinceNanos = Arrays.copyOf(failedSinceNanos, partition + 1);
            Arrays.fill(lastNanos, before, partition + 1, Long.MIN_VALUE);
            Arrays.fill(failedSinceNanos, before, partition + 1, NEVER);
        }
    }

    private synchronized void keep(int partition, Gap gap) {
        longest.merge(partition, gap, PartitionGaps::longer);
    }

    private static Gap longer(Gap one, Gap other) {
        return one.nanos() >= other.nanos() ? one : other;
    }

    /** Returns the longest gap of each partition since the last call, over all clients. */
    public static Collection<Gap> take(List<PartitionGaps> clients, IntFunction<String> names) {
        Map<Integer, Gap> all = new HashMap<>();
        for (PartitionGaps client : clients) {
            synchronized (client) {
                client.longest.forEach((partition, gap) -> all.merge(
                        partition,
                        new Gap(names.apply(partition), gap.endNanos(), gap.nanos()),
                        PartitionGaps::longer));
                client.longest.clear();
            }
        }
        return all.values();
    }
}
