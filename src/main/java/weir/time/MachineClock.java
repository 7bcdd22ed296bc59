package weir.time;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** The clocks of this machine. A run uses the clock of its lab; times of two clocks are never mixed. */
public final class MachineClock {
    /** Nanoseconds; on Linux, since the boot of the machine. */
    public static final LongSupplier STEADY = System::nanoTime;

    public static final InstantSource WALL = InstantSource.system();

    private MachineClock() {}

    public static TimeLimit within(Duration limit) {
        return new TimeLimit(STEADY, limit);
    }
}
