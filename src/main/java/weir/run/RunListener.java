package weir.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import weir.cluster.Broker;
import weir.measure.Snapshot;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.ProbeReading;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Attempt;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;

/** Hears how a run goes, from any thread. Every method but {@link #agrees} may be left out. */
public interface RunListener {
    /** True when the user agrees to what is about to be done to a cluster that is not ours. */
    boolean agrees(String question);

    default void started(Path folder, Estimate estimate) {}

    /** A trial begins; {@code of} is zero where nobody can tell how many there will be. */
    default void trial(Trial trial, int of) {}

    /** A search is about to carry so many operations per second, or all it can, so that nothing is cold when it tries. */
    default void heats(Trial trial, double rate) {}

    /** A search is about to try a rate, in operations per second. */
    default void tries(Trial trial, double rate, String why) {}

    default void tried(Trial trial, Attempt tried) {}

    /** A phase begins; {@code expected} is zero where nobody can tell. */
    default void phase(Trial trial, String phase, Duration expected) {}

    default void window(Trial trial, WindowRow row) {}

    /** The same window with all its numbers, which stay as they are; it began so many milliseconds after the epoch. */
    default void window(Trial trial, Snapshot window, long beganMillis) {}

    /** Something happened: a phase or step began, a disturbance began or ended, or anything else that the trial notes. */
    default void event(Trial trial, Event event) {}

    /** The brokers of a trial, up now; asked again, those that run at that time. */
    default void brokers(Trial trial, Supplier<List<Broker>> brokers) {}

    default void reading(Trial trial, ProbeReading reading) {}

    /** The metrics of a trial's clients themselves at their end, by the names that Kafka's tools give them. */
    default void metrics(Trial trial, SortedMap<String, Object> metrics) {}

    default void note(String text) {}

    /** Not all trials ran; the command does the rest. */
    default void unfinished(String command) {
        note("what is left is done by: " + command);
    }

    default void caveat(Caveat caveat) {}

    default void trialDone(TrialResult result) {}

    default void done(RunResult result) {}
}
