package weir.measure;

/**
 * The definition of a percentile: the smallest value v such that at least p percent of the values are at most v. Of n
 * values it is the value of rank {@code ⌈p/100 · n⌉}, never the mean of two values.
 */
public final class Percentile {
    private Percentile() {}

    /** The rank of the percentile (0 to 100) among {@code count} values; 1 is the smallest. */
    public static long rank(double percentile, long count) {
        // The next smaller double, as in HdrHistogram: 99.9 % of 1,000 would otherwise exceed 999 by rounding.
        double below = Math.max(0, Math.nextDown(percentile));
        return Math.max(1, (long) Math.ceil(below * count / 100));
    }

    /** The percentile (0 to 100) of values in ascending order; there must be at least one. */
    public static double of(double percentile, double[] sorted) {
        return sorted[(int) rank(percentile, sorted.length) - 1];
    }
}
