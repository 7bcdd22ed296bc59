package weir.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The middle of sorted values, or the mean of the two middle values. */
public final class Median {
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
        double[] known = all.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(value -> value)
                .toArray();
        return known.length == 0 ? null : of(known);
    }
}
