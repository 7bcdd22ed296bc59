package weir.measure;

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
}
