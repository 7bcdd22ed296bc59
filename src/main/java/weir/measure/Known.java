package weir.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A conversion of unknown figures, which are null in results and NaN in arithmetic. */
public final class Known {
    private Known() {}

    public static @Nullable Double of(double figure) {
        return Double.isFinite(figure) ? figure : null;
    }

    public static double orNaN(@Nullable Double figure) {
        return figure == null ? Double.NaN : figure;
    }

    public static double orZero(@Nullable Double figure) {
        return figure == null ? 0 : figure;
    }

    public static <T, V> Stream<V> all(List<T> all, Function<T, @Nullable V> figure) {
        return all.stream().map(figure).filter(Objects::nonNull);
    }

    public static <T, V extends Comparable<V>> @Nullable V least(List<T> all, Function<T, @Nullable V> figure) {
        return all(all, figure).min(Comparator.naturalOrder()).orElse(null);
    }

    public static <T, V extends Comparable<V>> @Nullable V most(List<T> all, Function<T, @Nullable V> figure) {
        return all(all, figure).max(Comparator.naturalOrder()).orElse(null);
    }
}
