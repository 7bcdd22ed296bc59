package weir.results;

import org.jspecify.annotations.Nullable;

/**
 * How one variant's figure compares with another's. {@code ratio} is a / b, {@code low} and {@code high} its 95 %
 * interval, {@code visible} the smallest change that these trials could have shown, as a ratio.
 */
public record ComparisonResult(
        String a,
        String b,
        String metric,
        @Nullable Double ratio,
        @Nullable Double low,
        @Nullable Double high,
        String verdict,
        @Nullable Double visible) {}
