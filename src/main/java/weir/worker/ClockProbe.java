package weir.worker;

import weir.probe.Probe;
import weir.probe.Readings;
import weir.worker.link.SyncedClock;

/**
 * The clock of a worker: how far it was from that of the run in each second, at the furthest, and how far it was told to
 * jump. A clock that is that of the run itself says nothing.
 */
final class ClockProbe implements Probe {
    static final String ERROR = "clock.error.ms";
    static final String JUMP = "clock.jump.ms";
    private static final double MILLI = 1e6;

    private final SyncedClock clock;
    private long errorNanos;

    ClockProbe(SyncedClock clock) {
        this.clock = clock;
    }

    @Override
    public void glance() {
        errorNanos = Math.max(errorNanos, clock.errorNanos());
    }

    @Override
    public void look(Readings into) {
        glance();
        tell(into, ERROR, errorNanos);
        tell(into, JUMP, clock.takeJumpNanos());
        errorNanos = 0;
    }

    private static void tell(Readings into, String metric, long nanos) {
        if (nanos > 0) {
            into.level(metric, nanos / MILLI);
        }
    }
}
