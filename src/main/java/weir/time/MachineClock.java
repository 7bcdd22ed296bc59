package weir.time;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The clocks of this machine. The clock of a run is that of its lab, and a time of one is never beside a time of the other. */
public final class MachineClock {
    /** In nanoseconds. On Linux it begins when the machine boots. */
    public static final LongSupplier STEADY = System::nanoTime;

    public static final InstantSource WALL = InstantSource.system();

    private MachineClock() {}

    /** A time limit that begins now. */
    public static TimeLimit within(Duration limit) {
        return new TimeLimit(STEADY, limit);
    }
}
