package weir.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
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

/** A listener to the progress of a run, called from any thread. Only {@link #agrees} must be implemented. */
public interface RunListener {
    /** Returns true if the user agrees to an action on an external cluster. */
    boolean agrees(String question);

    default void started(Path folder, Estimate estimate) {}

    /** Announces a trial; {@code of} is zero if the number of trials is unknown. */
    default void trial(Trial trial, int of) {}

    /** Announces that a search warms up at a rate in operations per second. An infinite rate means full speed. */
    default void warmsUp(Trial trial, double rate) {}

    default void tries(Trial trial, double rate, String why) {}

    default void tried(Trial trial, Attempt tried) {}

    /** Announces a phase; {@code expected} is zero if its length is unknown. */
    default void phase(Trial trial, String phase, Duration expected) {}

    default void window(Trial trial, WindowRow row) {}

    /** Passes the same window with its final numbers; {@code beganMillis} counts from the epoch. */
    default void window(Trial trial, Snapshot window, long beganMillis) {}

    default void event(Trial trial, Event event) {}

    /** Announces the brokers of a trial. The supplier returns the brokers that run at the time of its call. */
    default void brokers(Trial trial, Supplier<List<Broker>> brokers) {}

    default void reading(Trial trial, Reading reading) {}

    default void metrics(Trial trial, SortedMap<String, Object> metrics) {}

    default void note(String text) {}

    default void unfinished(String command) {
        note("to run the rest: " + command);
    }

    default void caveat(Caveat caveat) {}

    default void trialDone(TrialResult result) {}

    default void done(RunResult result) {}
}
