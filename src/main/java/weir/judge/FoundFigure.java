package weir.judge;

import weir.measure.Latency;
import weir.plan.Expectation;

/**
 * A figure of one trial, in the unit of the sentence that asked for it; NaN when the trial has none.
 *
 * @param atLeast whether it is a lower bound, because messages that never ended reach it
 * @param thin whether fewer than ten messages lie beyond this percentile
 */
record FoundFigure(double value, boolean atLeast, boolean thin) {
    static final FoundFigure NOTHING = new FoundFigure(Double.NaN, false, false);

    private static final double MILLI = 1e3;

    static FoundFigure of(double value) {
        return new FoundFigure(value, false, false);
    }

    boolean nothing() {
        return Double.isNaN(value);
    }

    /** The figure of a latency that the sentence asks for; percentiles beyond {@code bound} are lower bounds. */
    static FoundFigure of(Expectation e, Latency latency, double bound) {
        if (latency.empty()) {
            return NOTHING;
        }
        if (e.stat().equals("max")) {
            return new FoundFigure(latency.maxMillis() / MILLI, bound < 100, false);
        }
        if (e.stat().equals("mean")) {
            return new FoundFigure(latency.meanMillis() / MILLI, bound < 100, false);
        }
        double percentile = percentile(e);
        return new FoundFigure(latency.millis(percentile) / MILLI, percentile > bound, latency.thin(percentile));
    }

    static double percentile(Expectation e) {
        return Double.parseDouble(e.stat().substring(1));
    }
}
