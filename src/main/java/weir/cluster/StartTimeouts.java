package weir.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The limit of a wait, with a check that throws as soon as the wait cannot succeed. */
public record StartTimeouts(Duration limit, Runnable alive) {
    private static final long LOOK_NANOS = 20_000_000;

    public static StartTimeouts of(Duration limit) {
        return new StartTimeouts(limit, () -> {});
    }

    public void until(String what, BooleanSupplier so) {
        TimeLimit deadline = MachineClock.within(limit);
        while (!so.getAsBoolean()) {
            alive.run();
            if (deadline.passed()) {
                throw new ClusterUnavailable("timed out after " + limit.toSeconds() + " s while waiting for " + what
                        + "; the logs of the brokers may show the reason");
            }
            LockSupport.parkNanos(LOOK_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
        }
    }
}
