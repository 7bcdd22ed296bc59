package weir.cli;

import weir.results.RunFolder;
import weir.run.RunListener;

/** A service that shows a run to others while it goes on. It opens before the run begins. */
public interface RunWatch extends AutoCloseable {
    /** Returns a listener that never blocks the run. The run never asks it for agreement. */
    RunListener listener();

    default void over(RunFolder folder) {}

    @Override
    void close();
}
