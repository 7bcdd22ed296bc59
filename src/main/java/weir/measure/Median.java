package weir.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The middle of sorted values, or the mean of the two middle values. */
public final class Median {
    private static final double CONFIDENCE = 0.95;

    private Median() {}

    /** The median of unsorted values; NaN without values. */
    public static double of(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public static <T> @Nullable Double of(List<T> all, Function<T, @Nullable Double> figure) {
        double[] known = Known.all(all, figure).mapToDouble(value -> value).toArray();
        return known.length == 0 ? null : of(known);
    }

    /**
     * The number {@code k} of values to drop at each end of {@code n} sorted values, such that the rest contains the
     * true median with 95 % confidence, for any distribution.
     */
    public static int outside(int n) {
        int outside = 0;
        while (2 * (outside + 1) < n && confidence(n, outside + 1) >= CONFIDENCE) {
            outside++;
        }
        return outside;
    }

    /**
     * The probability {@code 1 − 2 P(B ≤ outside)} that the rest contains the true median. {@code B} is the number of
     * the {@code n} values below it.
     */
    public static double confidence(int n, int outside) {
        double few = 0;
        double ways = 1;
        for (int k = 0; k <= outside; k++) {
            few += ways;
            ways = ways * (n - k) / (k + 1);
        }
        return 1 - 2 * few / Math.pow(2, n);
    }
}
