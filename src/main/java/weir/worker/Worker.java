package weir.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import weir.measure.PhaseTimes;
import weir.probe.Footprint;

/**
 * A process, or several that act as one, that carries out one assignment, phase by phase. If a worker has failed,
 * every call throws an exception with the reason.
 */
public interface Worker extends AutoCloseable {
    List<Long> pids();

    Footprint footprint();

    /** Returns remarks for the user when the clients exist, metadata is known and every reader has a position. */
    List<String> prepare(Assignment assignment);

    /**
     * Runs a phase; returns when it ends by itself or by {@link #stop()}. A phase begins at a whole second from the
     * origin. The load of a warm-up continues until the next phase begins, so that nothing becomes cold in between.
     */
    default PhaseTimes run(LoadPhase phase) {
        return run(phase, start -> {});
    }

    /** Runs a phase. {@code begins} receives the time of its start shortly before that time. */
    PhaseTimes run(LoadPhase phase, LongConsumer begins);

    /** Ends the phase from another thread; sending stops, except that a warm-up goes on until the next phase. */
    void stop();

    /** Ends the sending for good; true if all is acked and the readers reached the ends, false at the limit. */
    boolean drain(Duration limit);

    /** Reads the records that no reader read, outside the measured time. */
    void verify(Duration limit);

    Finished finish();

    @Override
    void close();
}
