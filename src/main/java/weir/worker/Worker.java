package weir.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import weir.measure.PhaseTimes;
import weir.probe.Footprint;

/**
 * A process, or several as one, that carries out one assignment, phase by phase. Every call throws when a worker failed,
 * with its reason.
 */
public interface Worker extends AutoCloseable {
    /** The ids of those of its processes that run here. */
    List<Long> pids();

    Footprint footprint();

    /** Returns when the clients exist, metadata is known and every reader has a position. */
    Prepared prepare(Assignment assignment);

    /**
     * Returns when the phase is over by itself or by {@link #stop()}. It begins at a whole second from the origin; the
     * load of a warm-up goes on until then, so that nothing cools down in between.
     */
    default PhaseTimes run(LoadPhase phase) {
        return run(phase, start -> {});
    }

    /** The same; {@code begins} is told when it will begin, shortly before. */
    PhaseTimes run(LoadPhase phase, LongConsumer begins);

    /** From another thread: the phase is over now, and nothing new is sent in it; a warm-up goes on until the next. */
    void stop();

    /** Ends the sending for good. True when all is acked and the readers reached the ends, false at the limit. */
    boolean drain(Duration limit);

    /** Reads back what no reader read, off the clock. */
    void verify(Duration limit);

    Finished finish();

    @Override
    void close();
}
