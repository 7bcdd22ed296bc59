package weir.worker;

import java.time.Duration;

/** A process that carries out one assignment, phase by phase. Every call throws when the worker failed, with its reason. */
public interface Worker extends AutoCloseable {
    long pid();

    /** Returns when the clients exist, metadata is known and every reader has a position. */
    Prepared prepare(Assignment assignment);

    /** Returns when the stage is over by itself or by {@link #stop()}. */
    StageEnd run(Stage stage);

    /** From another thread: nothing new is sent in this stage. */
    void stop();

    /** Returns when all is acked and the readers reached the ends, or at the limit. Ends the sending for good. */
    Drained drain(Duration limit);

    /** Reads back what no reader read, off the clock. */
    void verify(Duration limit);

    /** Leaves no process. */
    @Override
    void close();
}
