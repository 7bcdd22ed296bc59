package weir.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.cluster.Broker;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;

/**
 * Several listeners of one run, called in order. A listener that throws is reported and called no more, because an
 * observer cannot fail a run.
 */
public final class RunListeners implements RunListener {
    private static final Logger LOG = LoggerFactory.getLogger(RunListeners.class);

    private final RunListener first;
    private final List<RunListener> others;

    /**
     * Listeners of these.
     *
     * @param first the user, who is asked whether they agree, and whose failures are the run's
     */
    public RunListeners(RunListener first, List<RunListener> others) {
        this.first = first;
        this.others = new CopyOnWriteArrayList<>(others);
    }

    private void each(Consumer<RunListener> tell) {
        tell.accept(first);
        for (RunListener other : others) {
            guarded(other, tell);
        }
    }

    private void guarded(RunListener other, Consumer<RunListener> tell) {
        try {
            tell.accept(other);
        } catch (RuntimeException e) {
            if (others.remove(other)) {
                LOG.warn("a watch of the run", e);
                first.note("a watch of the run failed and shows nothing more: " + e);
            }
        }
    }

    @Override
    public boolean agrees(String question) {
        return first.agrees(question);
    }

    @Override
    public void started(Path folder, Estimate estimate) {
        each(listener -> listener.started(folder, estimate));
    }

    @Override
    public void trial(Trial trial, int of) {
        each(listener -> listener.trial(trial, of));
    }

    @Override
    public void heats(Trial trial, double rate) {
        each(listener -> listener.heats(trial, rate));
    }

    @Override
    public void tries(Trial trial, double rate, String why) {
        each(listener -> listener.tries(trial, rate, why));
    }

    @Override
    public void tried(Trial trial, Attempt tried) {
        each(listener -> listener.tried(trial, tried));
    }

    @Override
    public void phase(Trial trial, String phase, Duration expected) {
        each(listener -> listener.phase(trial, phase, expected));
    }

    @Override
    public void window(Trial trial, WindowRow row) {
        each(listener -> listener.window(trial, row));
    }

    @Override
    public void window(Trial trial, Snapshot window, long beganMillis) {
        each(listener -> listener.window(trial, window, beganMillis));
    }

    @Override
    public void event(Trial trial, Event event) {
        each(listener -> listener.event(trial, event));
    }

    @Override
    public void brokers(Trial trial, Supplier<List<Broker>> brokers) {
        each(listener -> listener.brokers(trial, brokers));
    }

    @Override
    public void reading(Trial trial, Reading reading) {
        each(listener -> listener.reading(trial, reading));
    }

    @Override
    public void metrics(Trial trial, SortedMap<String, Object> metrics) {
        each(listener -> listener.metrics(trial, metrics));
    }

    @Override
    public void note(String text) {
        each(listener -> listener.note(text));
    }

    @Override
    public void unfinished(String command) {
        each(listener -> listener.unfinished(command));
    }

    @Override
    public void caveat(Caveat caveat) {
        each(listener -> listener.caveat(caveat));
    }

    @Override
    public void trialDone(TrialResult result) {
        each(listener -> listener.trialDone(result));
    }

    @Override
    public void done(RunResult result) {
        each(listener -> listener.done(result));
    }
}
