package weir.pace;

/** So many operations at once, again after every interval. */
final class Burst extends ClosedFormSchedule {
    private final long atOnce;
    private final long everyNanos;
    private final long endNanos;

    Burst(long atOnce, long everyNanos, long endNanos, long operations) {
        this(atOnce, everyNanos, endNanos, operations, 0, 1);
    }

    private Burst(long atOnce, long everyNanos, long endNanos, long operations, long first, long stride) {
        super(operations, first, stride);
        this.atOnce = atOnce;
        this.everyNanos = everyNanos;
        this.endNanos = endNanos;
    }

    @Override
    long due(long n) {
        long due = n / atOnce * everyNanos;
        return due < endNanos ? due : NEVER;
    }

    @Override
    ClosedFormSchedule part(long first, long stride) {
        return new Burst(atOnce, everyNanos, endNanos, operations, first, stride);
    }
}
