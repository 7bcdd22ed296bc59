package weir.pace;

/** A schedule whose n-th due time is known in closed form, so that a share is every so-many-th operation. */
abstract class ClosedFormSchedule implements Schedule {
    /** How many operations the whole schedule has at most. */
    final long operations;

    private final long stride;
    private long n;

    ClosedFormSchedule(long operations, long first, long stride) {
        this.operations = operations;
        this.n = first;
        this.stride = stride;
    }

    /** When operation {@code n} of the whole is due, or NEVER; asked in ascending order. */
    abstract long due(long n);

    abstract ClosedFormSchedule part(long first, long stride);

    @Override
    public final long next() {
        if (n >= operations) {
            return NEVER;
        }
        long due = due(n);
        n += stride;
        return due;
    }

    @Override
    public int step() {
        return 0;
    }

    @Override
    public final Schedule share(int index, int of) {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException("share " + index + " of " + of + " is none of them");
        }
        return part(n + index * stride, stride * of);
    }
}
