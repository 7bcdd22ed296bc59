package weir.cli;

import java.nio.file.Path;
import java.util.OptionalInt;
import weir.feature.Feature;
import weir.plan.Experiment;

/** A {@link Feature.Part} that runs experiments on other machines. */
public interface Conductor extends Feature.Part {
    /**
     * Runs an experiment and returns its exit code; empty if the experiment does not ask for this conductor.
     *
     * @param ours values that override the values of the file
     */
    OptionalInt conduct(RunCommandOptions run, Path file, Experiment experiment, String... ours);
}
