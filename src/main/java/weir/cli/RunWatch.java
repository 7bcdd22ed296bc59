package weir.cli;

import weir.results.RunFolder;
import weir.run.RunListener;

/** A service that shows a run to others while it goes on. It opens before the run begins. */
public interface RunWatch extends AutoCloseable {
    /** Returns a listener of the run that never waits and is never asked for agreement. */
    RunListener listener();

    default void over(RunFolder folder) {}

    @Override
    void close();
}
