package weir.plan;

import java.math.BigDecimal;

/** A rate per second of the load's operations, or of the bytes of values. */
public record Rate(double perSecond, Unit unit) {
    /** The highest rate, one operation per nanosecond, which is the resolution of a schedule. */
    public static final double MOST_OPERATIONS = 1e9;

    public enum Unit {
        OPERATIONS,
        BYTES
    }

    public Rate {
        if (!(perSecond >= 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("a rate must be at least 0 and finite, found " + perSecond);
        }
    }

    /** The notation in experiment files: {@code 1000/s}, {@code 50k/s}, {@code 1.5M/s}, {@code 2GB/s}. */
    public String text() {
        int digits = perSecond >= 1e9 ? 9 : perSecond >= 1e6 ? 6 : perSecond >= 1e4 ? 3 : 0;
        BigDecimal scaled = BigDecimal.valueOf(perSecond).movePointLeft(digits).stripTrailingZeros();
        if (scaled.scale() > 3) {
            digits = 0;
            scaled = BigDecimal.valueOf(perSecond).stripTrailingZeros();
        }
        String prefix = " kMG".substring(digits / 3, digits / 3 + 1).strip();
        return scaled.toPlainString() + prefix + (unit == Unit.BYTES ? "B/s" : "/s");
    }

    public static Rate of(double operationsPerSecond) {
        return new Rate(operationsPerSecond, Unit.OPERATIONS);
    }
}
