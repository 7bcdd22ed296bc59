package weir.pace;

import weir.plan.RateSpec;

/** The due times of operations, in order. One thread owns the schedule. */
public interface Schedule {
    long NEVER = RateSpec.NEVER;

    /** The schedule of closed loops, whose operations have no due times. */
    Schedule CLOSED = new ClosedFormSchedule(() -> n -> RateSpec.NEVER, 0);

    /** Returns the nanoseconds from the schedule's start to the next due time; {@link #NEVER} at the end. */
    long next();

    /** Returns one of {@code of} parts of the whole. Called before the first {@link #next}. */
    Schedule share(int index, int of);
}
