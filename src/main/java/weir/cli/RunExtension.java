package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.results.RunFolder;

/** The part of a feature in the commands that run an experiment; its fields are picocli options. */
public interface RunExtension extends Feature.Part {
    /** Returns true if {@code weir check} has the options, too. */
    default boolean checks() {
        return false;
    }

    /** Returns values that override those of the file, as in {@code --set}; the user's own values override these. */
    default List<String> values() {
        return List.of();
    }

    /** Refuses options that do not fit together, before anything is started. */
    default void check(CommandLine command, Experiment experiment) {}

    /**
     * Opens the services that show the run to others while it goes on, before anything is measured.
     *
     * @param opens whether to open them in the browser
     */
    default void watch(CommandLine command, boolean opens, RunWatches watches) {}

    /** Stores the results of a run in the feature's own place. On failure prints the reason and returns false. */
    default boolean keep(RunFolder folder, PrintWriter err) {
        return true;
    }
}
