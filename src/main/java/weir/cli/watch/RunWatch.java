package weir.cli.watch;

import weir.results.RunFolder;
import weir.run.RunListener;

/** Something that shows a run to others while it goes on. It is open before the run begins. */
public interface RunWatch extends AutoCloseable {
    /** Hears the run; it never waits, and is never asked whether it agrees. */
    RunListener listener();

    /** The run is over and its report written, as far as there is room for it. */
    default void over(RunFolder folder) {}

    @Override
    void close();
}
