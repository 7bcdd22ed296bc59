package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.results.RunFolder;

/** The part of the commands that run an experiment that belongs to one ability; its fields are picocli options. */
public interface RunExtension extends Feature.Part {
    /** Returns true if {@code weir check} has the options, too. */
    default boolean checks() {
        return false;
    }

    /** Returns values over those of the file, as in {@code --set}; the user's are laid over them. */
    default List<String> values() {
        return List.of();
    }

    /** Refuses options that do not fit together, before anything is started. */
    default void check(CommandLine command, Experiment experiment) {}

    /**
     * Opens what shows the run while it goes on, before anything is measured.
     *
     * @param opens whether to show it in the browser
     */
    default void watch(CommandLine command, boolean opens, RunWatches watches) {}

    /** Keeps the results of a run; on failure prints the reason and returns false. */
    default boolean keep(RunFolder folder, PrintWriter err) {
        return true;
    }
}
