package weir.measure;

/**
 * The definition of a percentile: the smallest value v such that at least p percent of the values are at most v. Of n values
 * in order it is the one of rank ⌈p/100 · n⌉, and never the mean of two.
 */
public final class Percentile {
    private Percentile() {}

    /** The rank of the percentile (0 to 100) among so many values: 1 is the smallest of them. */
    public static long rank(double percentile, long count) {
        // As HdrHistogram has it: of the next smaller double, or 99.9 % of 1,000 would be a hair more than 999.
        double below = Math.max(0, Math.nextDown(percentile));
        return Math.max(1, (long) Math.ceil(below * count / 100));
    }

    /** The percentile (0 to 100) of values in ascending order, of which there is at least one. */
    public static double of(double percentile, double[] sorted) {
        return sorted[(int) rank(percentile, sorted.length) - 1];
    }
}
