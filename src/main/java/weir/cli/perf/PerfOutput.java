package weir.cli.perf;

import java.util.List;
import weir.measure.Snapshot;
import weir.results.ProbeReading;
import weir.results.RunFolder;
import weir.results.value.TrialResult;

/** The output of one of Kafka's performance tools, and what that tool leaves out. */
interface PerfOutput {
    /** True when the cluster gets records. */
    boolean writes();

    /** Before anything is measured. */
    void begin();

    /** A window of the trial; parts that come late are windows of the same index again. */
    void window(Snapshot window, long beganMillis);

    default void reading(ProbeReading reading) {}

    /** The trial is over. */
    default void trial(TrialResult result) {}

    /** True where Kafka's tool would not have ended with 0. */
    default boolean broken() {
        return false;
    }

    /** The summary of all windows. */
    void total(boolean interrupted);

    /** The lines that Kafka's tool does not print. */
    List<String> beyond(RunFolder run);
}
