package weir.report.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An axis with a unit, and with a scale that covers all drawn values. Charts that share an axis have one scale. */
public final class Axis {
    private final String unit;
    private final Kind kind;
    private final @Nullable AxisScale given;
    private double lowest = Double.MAX_VALUE;
    private double highest;

    private enum Kind {
        FROM_ZERO,
        LOGARITHMIC,
        TAIL
    }

    private Axis(String unit, Kind kind, @Nullable AxisScale given) {
        this.unit = unit;
        this.kind = kind;
        this.given = given;
    }

    public static Axis fromZero(String unit) {
        return new Axis(unit, Kind.FROM_ZERO, null);
    }

    public static Axis log(String unit) {
        return new Axis(unit, Kind.LOGARITHMIC, null);
    }

    public static Axis tail(String unit) {
        return new Axis(unit, Kind.TAIL, null);
    }

    public static Axis of(String unit, AxisScale scale) {
        return new Axis(unit, Kind.FROM_ZERO, scale);
    }

    /** Extends the scale to these values. A logarithmic scale ignores values that are not positive. */
    public Axis cover(double... values) {
        lowest = Arrays.stream(values).filter(value -> value > 0).reduce(lowest, Math::min);
        highest = Arrays.stream(values).filter(value -> value > 0).reduce(highest, Math::max);
        return this;
    }

    public double highest() {
        return highest;
    }

    public AxisScale scale() {
        if (given != null) {
            return given;
        }
        return switch (kind) {
            case FROM_ZERO -> AxisScale.fromZero(highest);
            case LOGARITHMIC -> AxisScale.spanning(lowest, highest);
            case TAIL -> new AxisScale.Tail(Math.max(99, highest));
        };
    }

    /** Returns the unit, and names the scale if it is not linear. */
    public String label() {
        return scale() instanceof AxisScale.Linear ? unit : unit + ", logarithmic";
    }
}
