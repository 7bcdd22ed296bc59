package weir.pace;

/** A rate that changes linearly from one value to another, and then stays at the last value. */
record Ramp(double from, double to, double overSeconds, double slope, double operationsOfRamp, long endNanos)
        implements ClosedFormSchedule.Form {
    Ramp(double from, double to, double overSeconds, long endNanos) {
        this(
                from,
                to,
                overSeconds,
                overSeconds == 0 ? 0 : (to - from) / overSeconds,
                (from + to) / 2 * overSeconds,
                endNanos);
    }

    @Override
    public long due(long n) {
        long due = (long) (seconds(n) * 1e9);
        return due < endNanos ? due : Schedule.NEVER;
    }

    // At time t, the ramp has n = from·t + slope·t²/2 operations. This solution for t is exact for a small slope too: t
    // = 2n / (from + √(from² + 2·slope·n)).
    private double seconds(long n) {
        if (n >= operationsOfRamp) {
            double held = n - operationsOfRamp;
            return held == 0 ? overSeconds : to == 0 ? Double.POSITIVE_INFINITY : overSeconds + held / to;
        }
        return n == 0 ? 0 : 2 * n / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * n)));
    }
}
