package weir.report.block;

import java.util.Arrays;
import java.util.function.BiFunction;

/** An axis with a unit, and with a scale that covers all drawn values. Charts that share an axis have one scale. */
public final class Axis {
    private final String unit;
    /** The scale for the lowest and the highest value. */
    private final BiFunction<Double, Double, AxisScale> scaling;

    private double lowest = Double.MAX_VALUE;
    private double highest;

    private Axis(String unit, BiFunction<Double, Double, AxisScale> scaling) {
        this.unit = unit;
        this.scaling = scaling;
    }

    public static Axis fromZero(String unit) {
        return new Axis(unit, (low, high) -> AxisScale.fromZero(high));
    }

    public static Axis log(String unit) {
        return new Axis(unit, AxisScale::spanning);
    }

    public static Axis tail(String unit) {
        return new Axis(unit, (low, high) -> new AxisScale.Tail(Math.max(99, high)));
    }

    public static Axis of(String unit, AxisScale scale) {
        return new Axis(unit, (low, high) -> scale);
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
        return scaling.apply(lowest, highest);
    }

    /** Returns the unit, and names the scale if it is not linear. */
    public String label() {
        boolean logarithmic = scale() instanceof AxisScale.Log || scale() instanceof AxisScale.Tail;
        return logarithmic ? unit + ", logarithmic" : unit;
    }
}
