package weir.measure;

import java.util.Arrays;

/** The median of the slopes between all pairs of values, so that no single one decides. */
public final class TheilSen {
    private TheilSen() {}

    /** From one value to the next; at least two values. */
    public static double slope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int next = 0;
        for (int later = 1; later < values.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                slopes[next++] = (values[later] - values[earlier]) / (later - earlier);
            }
        }
        return median(slopes);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
