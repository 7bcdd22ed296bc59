package weir.run;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of one run, called in order. A listener that throws is reported and not called again, because it must
 * not fail a run.
 */
public final class RunListeners {
    private static final Logger LOG = LoggerFactory.getLogger(RunListeners.class);

    private final RunListener first;
    private final List<RunListener> others;

    /**
     * Combines these listeners.
     *
     * @param first the listener of the user, which answers {@link RunListener#agrees}, and whose failure fails the run
     */
    public RunListeners(RunListener first, List<RunListener> others) {
        this.first = first;
        this.others = new CopyOnWriteArrayList<>(others);
    }

    void each(Consumer<RunListener> call) {
        call.accept(first);
        others.forEach(other -> guarded(other, call));
    }

    private void guarded(RunListener other, Consumer<RunListener> call) {
        try {
            call.accept(other);
        } catch (RuntimeException e) {
            if (others.remove(other)) {
                LOG.warn("a watch of the run", e);
                first.note("a live view of the run failed, and Weir stopped it: " + e);
            }
        }
    }

    void note(String text) {
        each(listener -> listener.note(text));
    }

    boolean agrees(String question) {
        return first.agrees(question);
    }
}
