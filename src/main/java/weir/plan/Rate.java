package weir.plan;

/** How much per second: operations of the whole load, or bytes of values. */
public record Rate(double perSecond, Unit unit) {
    /** What a rate counts. */
    public enum Unit {
        OPERATIONS,
        BYTES
    }

    public Rate {
        if (!(perSecond >= 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("a rate needs a finite number >= 0, got " + perSecond);
        }
    }

    public static Rate of(double operationsPerSecond) {
        return new Rate(operationsPerSecond, Unit.OPERATIONS);
    }
}
