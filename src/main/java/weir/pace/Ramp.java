package weir.pace;

/** A rate that moves evenly from one value to another, and then holds the last. */
final class Ramp extends ClosedFormSchedule {
    private final double from;
    private final double to;
    private final double overSeconds;
    private final double slope;
    private final double operationsOfRamp;
    private final long endNanos;

    Ramp(double from, double to, double overSeconds, long endNanos, long operations) {
        this(from, to, overSeconds, endNanos, operations, 0, 1);
    }

    private Ramp(double from, double to, double overSeconds, long endNanos, long operations, long first, long stride) {
        super(operations, first, stride);
        this.from = from;
        this.to = to;
        this.overSeconds = overSeconds;
        this.endNanos = endNanos;
        slope = overSeconds == 0 ? 0 : (to - from) / overSeconds;
        operationsOfRamp = (from + to) / 2 * overSeconds;
    }

    @Override
    long due(long n) {
        long due = (long) (seconds(n) * 1e9);
        return due < endNanos ? due : NEVER;
    }

    // By time t the ramp has seen from·t + slope·t²/2 operations. Solved for t in the form that does not cancel when
    // the slope is small: t = 2n / (from + √(from² + 2·slope·n)).
    private double seconds(long n) {
        if (n >= operationsOfRamp) {
            double held = n - operationsOfRamp;
            return held == 0 ? overSeconds : to == 0 ? Double.POSITIVE_INFINITY : overSeconds + held / to;
        }
        return n == 0 ? 0 : 2 * n / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * n)));
    }

    @Override
    ClosedFormSchedule part(long first, long stride) {
        return new Ramp(from, to, overSeconds, endNanos, operations, first, stride);
    }
}
