package weir.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.results.RunFolder;
import weir.run.RunListener;
import weir.run.RunListeners;

/** The watches of one run, such as its live page. A watch can stop the run. */
public final class RunWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunWatches.class);

    private final List<RunWatch> watches = new ArrayList<>();
    private volatile RunListener user = question -> false;
    private volatile Runnable stop = () -> {};

    public void add(RunWatch watch) {
        watches.add(watch);
    }

    public boolean any() {
        return !watches.isEmpty();
    }

    /** Stops the run like the first Ctrl-C. {@code where} names the origin of the command in a message to the user. */
    public void stop(String where) {
        user.note("stopped from " + where);
        stop.run();
    }

    public void stopBy(Runnable interrupt) {
        stop = interrupt;
    }

    public RunListeners listenedToBy(RunListener asking) {
        user = asking;
        return new RunListeners(asking, watches.stream().map(RunWatch::listener).toList());
    }

    public void over(RunFolder folder) {
        // Closes the last watch first: the page closes at once, but the metrics server may wait for a scraper.
        for (int i = watches.size() - 1; i >= 0; i--) {
            try {
                watches.get(i).over(folder);
            } catch (RuntimeException e) {
                // The results are written and reported already.
                LOG.warn("the end of a watch", e);
                user.note("a live view could not show the end of the run: " + e);
            }
        }
    }

    @Override
    public void close() {
        Collections.reverse(watches);
        watches.forEach(RunWatch::close);
        watches.clear();
    }
}
