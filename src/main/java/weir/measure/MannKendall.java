package weir.measure;

/** The Mann–Kendall test for a trend: whether later values are larger than earlier ones more often than chance explains. */
public final class MannKendall {
    /** Standard deviations; of five values in no order two more rise than fall so often once in twenty-four times. */
    private static final double SURE = 1.5;

    private MannKendall() {}

    /** True when the values rise; fewer than three show nothing. */
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
