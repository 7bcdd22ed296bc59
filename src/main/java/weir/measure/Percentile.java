package weir.measure;

/**
 * The definition of a percentile: the smallest value {@code v} such that at least {@code p} % of the values are at most
 * {@code v}. It has the rank {@code ⌈p/100 · n⌉} of {@code n} values, and is never a mean of two values.
 */
public final class Percentile {
    private Percentile() {}

    /** The rank of the percentile (0 to 100) among {@code count} values; 1 is the lowest. */
    public static long rank(double percentile, long count) {
        // The next lower double, as in HdrHistogram: by rounding, 99.9 % of 1,000 would be more than 999.
        double below = Math.max(0, Math.nextDown(percentile));
        return Math.max(1, (long) Math.ceil(below * count / 100));
    }

    public static double of(double percentile, double[] sorted) {
        return sorted[(int) rank(percentile, sorted.length) - 1];
    }
}
