package weir.feature.shape;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The distribution of a whole number from 0, in bounded memory. Numbers below 128 have a bucket each. A larger number
 * shares its bucket with numbers that differ by at most 1.6%.
 */
final class Sizes {
    private static final int SUB_BITS = 6;
    private static final int BUCKETS = (Integer.SIZE - SUB_BITS) << SUB_BITS;
    /** The largest distance to a uniform distribution that still counts as uniform. */
    private static final double UNIFORM = 0.02;

    private static final int LEAST_UNIFORM = 100;
    private static final double WIDEST_PORTION = 0.025;
    private static final double NARROWEST_PORTION = 0.0005;
    private static final int HUNDREDTHS = 10_000;

    private final long[] counts = new long[BUCKETS];
    private final long[] sums = new long[BUCKETS];
    private long count;
    private long sum;
    private int min = Integer.MAX_VALUE;
    private int max;

    void add(int number) {
        int bucket = bucket(number);
        counts[bucket]++;
        sums[bucket] += number;
        count++;
        sum += number;
        min = Math.min(min, number);
        max = Math.max(max, number);
    }

    private static int bucket(int number) {
        int shift = Math.max(0, Integer.SIZE - 1 - SUB_BITS - Integer.numberOfLeadingZeros(number | 1));
        return (shift << SUB_BITS) + (number >>> shift);
    }

    long count() {
        return count;
    }

    int max() {
        return max;
    }

    double mean() {
        return count == 0 ? 0 : (double) sum / count;
    }

    /** Returns the number at a quantile from 0 to 1, as the mean of its bucket; 0 without numbers. */
    int quantile(double quantile) {
        long up = 0;
        for (int i = 0; i < BUCKETS; i++) {
            up += counts[i];
            if (counts[i] > 0 && up >= quantile * count) {
                return mean(i);
            }
        }
        return 0;
    }

    private int mean(int bucket) {
        return (int) Math.round((double) sums[bucket] / counts[bucket]);
    }

    String summary() {
        return count == 0
                ? "none"
                : min == max
                        ? "all " + size(min)
                        : size(min) + ".." + size(max) + ", mean " + size((int) Math.round(mean())) + ", p50 "
                                + size(quantile(0.5)) + ", p99 " + size(quantile(0.99));
    }

    /** Returns the value of {@code load.value.size} for this distribution. */
    String text() {
        if (min == max) {
            return size(Math.max(1, min));
        }
        if (count >= LEAST_UNIFORM && distanceToUniform() <= UNIFORM) {
            return size(Math.max(1, min)) + ".." + size(max);
        }
        return portions().entrySet().stream()
                .filter(portion -> portion.getValue() > 0)
                .map(portion -> size(portion.getKey()) + ": " + portion.getValue() / 100 + "."
                        + (portion.getValue() % 100 + 100 + "%").substring(1))
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    /** The Kolmogorov–Smirnov distance to another distribution. */
    double distance(Sizes other) {
        double distance = 0;
        long up = 0;
        long otherUp = 0;
        for (int i = 0; i < BUCKETS; i++) {
            up += counts[i];
            otherUp += other.counts[i];
            distance = Math.max(
                    distance, Math.abs((double) up / Math.max(1, count) - (double) otherUp / Math.max(1, other.count)));
        }
        return distance;
    }

    /** The Kolmogorov–Smirnov distance to the uniform distribution from the lowest to the highest number. */
    private double distanceToUniform() {
        double distance = 0;
        long up = 0;
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                double uniform = (mean(i) - min + 0.5) / (max - min + 1.0);
                distance = Math.max(distance, Math.abs((up + counts[i] / 2.0) / count - uniform));
                up += counts[i];
            }
        }
        return distance;
    }

    /** Sizes with shares in hundredths of a percent. Portions become narrower towards the largest sizes. */
    private Map<Integer, Integer> portions() {
        Map<Integer, Integer> portions = new TreeMap<>();
        long behind = 0;
        long heldCount = 0;
        long heldSum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] == 0) {
                continue;
            }
            double left = (double) (count - behind) / count;
            double widest = count * Math.min(WIDEST_PORTION, Math.max(NARROWEST_PORTION, left / 4));
            if (heldCount > 0 && heldCount + counts[i] > widest) {
                behind = put(portions, heldCount, heldSum, behind);
                heldCount = 0;
                heldSum = 0;
            }
            heldCount += counts[i];
            heldSum += sums[i];
        }
        put(portions, heldCount, heldSum, behind);
        return portions;
    }

    /** Rounds the cumulative share, so that all shares add up to 100%. */
    private long put(Map<Integer, Integer> portions, long heldCount, long heldSum, long behind) {
        long up = behind + heldCount;
        int share =
                (int) (Math.round((double) up * HUNDREDTHS / count) - Math.round((double) behind * HUNDREDTHS / count));
        portions.merge((int) Math.max(1, Math.round((double) heldSum / heldCount)), share, Integer::sum);
        return up;
    }

    static String size(int bytes) {
        return bytes > 0 && bytes % (1 << 20) == 0
                ? (bytes >> 20) + "MiB"
                : bytes > 0 && bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B";
    }
}
