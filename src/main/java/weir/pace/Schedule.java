package weir.pace;

import weir.plan.RateSpec;

/** When operations are due: pulled by the one thread that owns it, never pushed. */
public interface Schedule {
    /** The due time of "never again". */
    long NEVER = RateSpec.NEVER;

    /** The schedule of closed loops, in which nothing is due at a time. */
    Schedule CLOSED = new ClosedFormSchedule(() -> n -> RateSpec.NEVER, 0);

    /** Nanoseconds since the schedule's start at which the next operation is due; {@link #NEVER} once it is over. */
    long next();

    /** The step, counted from 0, of the operation that {@link #next} returned last. */
    int step();

    /** One of {@code of} parts that together are the whole. Asked before the first {@link #next}. */
    Schedule share(int index, int of);
}
