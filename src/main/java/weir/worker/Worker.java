package weir.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import weir.measure.PhaseTimes;
import weir.probe.Footprint;

/**
 * One or several processes that perform one assignment, phase by phase. If a worker has failed, every call throws an
 * exception with the reason.
 */
public interface Worker extends AutoCloseable {
    List<Long> pids();

    Footprint footprint();

    /** Returns remarks for the user after the clients exist, metadata is known and every reader has a position. */
    List<String> prepare(Assignment assignment);

    /**
     * Runs a phase; returns when it ends by itself or by {@link #stop()}. A phase begins at a whole second from the
     * origin. The load of a warm-up continues until the next phase begins, so that the system stays warm.
     */
    default PhaseTimes run(LoadPhase phase) {
        return run(phase, start -> {});
    }

    /** Runs a phase. {@code begins} receives its start time shortly before the start. */
    PhaseTimes run(LoadPhase phase, LongConsumer begins);

    /** Ends the phase, from another thread. Sending stops, except that a warm-up continues until the next phase. */
    void stop();

    /** Ends the sending; true if all is acked and the readers reached the ends, false at the limit. */
    boolean drain(Duration limit);

    /** Reads the records that no reader read, outside of the measured time. */
    void verify(Duration limit);

    Finished finish();

    @Override
    void close();
}
