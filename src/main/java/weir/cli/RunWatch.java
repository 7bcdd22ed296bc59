package weir.cli;

import weir.results.RunFolder;
import weir.run.RunListener;

/** A service that shows a run to people or programs while the run continues. */
public interface RunWatch extends AutoCloseable {
    /** Returns a listener that never blocks the run. */
    RunListener listener();

    default void over(RunFolder folder) {}

    @Override
    void close();
}
