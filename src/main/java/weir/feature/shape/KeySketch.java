package weir.feature.shape;

import java.nio.ByteBuffer;
import java.util.Arrays;
import weir.cli.terminal.HumanAmount;

/**
 * The number of distinct keys and their skew, in bounded memory: exact counts of a random sample of all keys, and
 * estimated counts of the most frequent keys. The sketch stores salted hashes of keys and no key.
 *
 * <p>The sample has the keys with the lowest hashes, as in Bar-Yossef et al., "Counting distinct elements in a data
 * stream" (2002). The frequent keys are those of Misra and Gries, "Finding repeated elements" (1982). A full table is
 * purged as in Anderson et al., "A high-performance algorithm for identifying frequent items" (2017).
 */
final class KeySketch {
    /** The error of a frequent key's count, as a share of this count. */
    private static final double EXACT = 0.02;

    private final long salt;
    private final Counters sample;
    private final Counters frequent;
    private long highest = Long.MAX_VALUE;
    private long purged;
    private long records;

    /** {@code slots} is a power of two; the sketch has exact counts of up to half as many keys. */
    KeySketch(long salt, int slots) {
        this.salt = salt;
        this.sample = new Counters(slots);
        this.frequent = new Counters(slots);
    }

    void add(ByteBuffer bytes, int at, int size) {
        count(hash(bytes, at, size));
    }

    void add(long number) {
        count(mix(mix(salt ^ number) + salt) >>> 1);
    }

    private void count(long hash) {
        records++;
        if (hash <= highest && sample.add(hash)) {
            highest = sample.keepLowestKeys();
        }
        if (frequent.add(hash)) {
            purged += frequent.keepHighestCounts();
        }
    }

    /** A positive hash: each 8 bytes are mixed as in SplitMix64. */
    private long hash(ByteBuffer bytes, int at, int size) {
        long hash = salt ^ size;
        int end = at + size;
        int i = at;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            hash = mix(hash ^ bytes.getLong(i)) + salt;
        }
        long rest = 0;
        for (; i < end; i++) {
            rest = (rest << 8) | (bytes.get(i) & 0xFF);
        }
        return mix(mix(hash ^ rest) + salt) >>> 1;
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    long records() {
        return records;
    }

    /** True if the sample has every key, with its exact count. */
    boolean complete() {
        return highest == Long.MAX_VALUE;
    }

    double distinct() {
        return complete() ? sample.size() : sample.size() / ((double) highest / Long.MAX_VALUE);
    }

    /**
     * Returns the probability that two random records have the same key, without bias: of n records, each key with c
     * records contributes c(c-1) of n(n-1) pairs.
     */
    double collision() {
        double pairs = 0;
        double scale = complete() ? 1 : Long.MAX_VALUE / (double) highest;
        double exact = complete() ? Double.POSITIVE_INFINITY : purged / EXACT;
        for (int i = 0; i < sample.counts.length; i++) {
            double count = frequent.counts[i] + purged;
            if (frequent.counts[i] > 0 && count > exact) {
                pairs += count * (count - 1);
            }
            long hash = sample.keys[i];
            if (sample.counts[i] > 0 && !(frequent.count(hash) > 0 && frequent.count(hash) + purged > exact)) {
                pairs += scale * sample.counts[i] * (sample.counts[i] - 1);
            }
        }
        return records < 2 ? 0 : pairs / records / (records - 1);
    }

    /** Returns the share of records with one of this many most frequent keys. */
    double share(int top) {
        Counters counters = complete() ? sample : frequent;
        long extra = complete() ? 0 : purged;
        return records == 0
                ? 0
                : Math.min(
                        1,
                        Arrays.stream(counters.counts)
                                        .filter(count -> count > 0)
                                        .map(count -> -count)
                                        .sorted()
                                        .limit(top)
                                        .mapToDouble(count -> extra - count)
                                        .sum()
                                / records);
    }

    /** The Kolmogorov–Smirnov distance to other keys by rank: the largest difference of the shares of the top keys. */
    double distance(KeySketch other) {
        double distance = 0;
        for (int top = 1; top <= sample.counts.length; top += Math.max(1, top / 4)) {
            distance = Math.max(distance, Math.abs(share(top) - other.share(top)));
        }
        return distance;
    }

    String summary() {
        return HumanAmount.count(Math.round(distinct()), "key") + ", top 1: " + ShapeFile.percent(share(1))
                + ", top 10: " + ShapeFile.percent(share(10)) + ", top 100: " + ShapeFile.percent(share(100));
    }

    /** A bounded hash table of counts. Keys are positive; the key of an empty slot has the count 0. */
    private static final class Counters {
        final long[] keys;
        final long[] counts;
        private int size;

        Counters(int slots) {
            keys = new long[slots];
            counts = new long[slots];
        }

        int size() {
            return size;
        }

        /** Counts a key once more; returns true if the table is full. */
        boolean add(long key) {
            put(key, 1);
            return size == counts.length / 2;
        }

        private void put(long key, long more) {
            int slot = slot(key);
            if (counts[slot] == 0) {
                keys[slot] = key;
                size++;
            }
            counts[slot] += more;
        }

        private int slot(long key) {
            int slot = (int) key & (counts.length - 1);
            while (counts[slot] != 0 && keys[slot] != key) {
                slot = (slot + 1) & (counts.length - 1);
            }
            return slot;
        }

        long count(long key) {
            return counts[slot(key)];
        }

        long keepLowestKeys() {
            long limit = used(keys)[size / 2 - 1];
            keep(limit, 0);
            return limit;
        }

        /** Lowers all counts by the median count and removes keys without a count; returns the median. */
        long keepHighestCounts() {
            long median = used(counts)[size / 2];
            keep(Long.MAX_VALUE, median);
            return median;
        }

        private long[] used(long[] of) {
            long[] used = new long[size];
            int at = 0;
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    used[at++] = of[i];
                }
            }
            Arrays.sort(used);
            return used;
        }

        private void keep(long highestKey, long less) {
            long[] oldKeys = keys.clone();
            long[] oldCounts = counts.clone();
            Arrays.fill(counts, 0);
            size = 0;
            for (int i = 0; i < oldCounts.length; i++) {
                if (oldCounts[i] > less && oldKeys[i] <= highestKey) {
                    put(oldKeys[i], oldCounts[i] - less);
                }
            }
        }
    }
}
