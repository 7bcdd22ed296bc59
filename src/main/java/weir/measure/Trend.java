package weir.measure;

/** The trend of a series of values. */
public final class Trend {
    /** The limit in standard deviations. Five values in random order exceed it once in 24 times. */
    private static final double SURE = 1.5;

    private Trend() {}

    /**
     * The slope per value: the median of the slopes between all pairs (Theil and Sen), so that no single value decides.
     * Needs at least two values.
     */
    public static double slope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int next = 0;
        for (int later = 1; later < values.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                slopes[next++] = (values[later] - values[earlier]) / (later - earlier);
            }
        }
        return Median.of(slopes);
    }

    /** True if later values are higher more often than by chance (Mann and Kendall); false below three values. */
    public static boolean rises(double[] values) {
        int n = values.length;
        double rising = 0;
        for (int later = 1; later < n; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                rising += Math.signum(values[later] - values[earlier]);
            }
        }
        return rising > SURE * Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18);
    }
}
