package weir.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import weir.measure.PhaseTimes;
import weir.probe.Footprint;

/**
 * A process, or several as one, that carries out one assignment, phase by phase. Every call throws with the reason if a
 * worker has failed.
 */
public interface Worker extends AutoCloseable {
    List<Long> pids();

    Footprint footprint();

    /** Returns remarks for the user when the clients exist, metadata is known and every reader has a position. */
    List<String> prepare(Assignment assignment);

    /**
     * Returns when the phase ends by itself or by {@link #stop()}. It begins at a whole second from the origin; the
     * load of a warm-up goes on until then, so that nothing cools down in between.
     */
    default PhaseTimes run(LoadPhase phase) {
        return run(phase, start -> {});
    }

    /** Runs a phase; {@code begins} receives its start shortly before. */
    PhaseTimes run(LoadPhase phase, LongConsumer begins);

    /** Ends the phase from another thread; sending stops, except that a warm-up goes on until the next phase. */
    void stop();

    /** Ends the sending for good; true if all is acked and the readers reached the ends, false at the limit. */
    boolean drain(Duration limit);

    /** Reads back the records that no reader read, outside the measured time. */
    void verify(Duration limit);

    Finished finish();

    @Override
    void close();
}
