package weir.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The middle of some values, or the mean of the two in the middle. */
public final class Median {
    private Median() {}

    /** The median of those that have the figure; null when none has. */
    public static <T> @Nullable Double of(List<T> all, Function<T, @Nullable Double> figure) {
        List<Double> values = new ArrayList<>();
        for (T one : all) {
            Double value = figure.apply(one);
            if (value != null) {
                values.add(value);
            }
        }
        if (values.isEmpty()) {
            return null;
        }
        values.sort(Comparator.naturalOrder());
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }
}
