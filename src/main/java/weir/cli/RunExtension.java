package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.results.RunFolder;

/** The part of a feature in the commands that run an experiment; its fields are picocli options. */
public interface RunExtension extends Feature.Part {
    /** Returns true if {@code weir check} accepts the options as well. */
    default boolean checks() {
        return false;
    }

    /** Returns values that override the file. The user's {@code --set} values override the returned values. */
    default List<String> values() {
        return List.of();
    }

    /** Refuses contradictory options before the run starts. */
    default void check(CommandLine command, Experiment experiment) {}

    /**
     * Starts services that show the live run, before the measurement.
     *
     * @param opens true to open them in the browser
     */
    default void watch(CommandLine command, boolean opens, RunWatches watches) {}

    /** Stores the results of a run for the feature; prints the reason and returns false if that fails. */
    default boolean keep(RunFolder folder, PrintWriter err) {
        return true;
    }
}
