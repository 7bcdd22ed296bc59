package weir.pace;

import weir.plan.RateSpec;

/** The due times of operations. One thread owns the schedule and asks for one due time after the other. */
public interface Schedule {
    long NEVER = RateSpec.NEVER;

    /** The schedule of closed loops, whose operations have no due times. */
    Schedule CLOSED = new ClosedFormSchedule(() -> n -> RateSpec.NEVER, 0);

    /** Returns the nanoseconds from the schedule's start to the next due time; {@link #NEVER} once it is over. */
    long next();

    /** Returns the step, counted from 0, of the operation that {@link #next} returned last. */
    int step();

    /** Returns one of {@code of} parts that add up to the whole; called before the first {@link #next}. */
    Schedule share(int index, int of);
}
