package weir.cli;

import java.nio.file.Path;
import java.util.OptionalInt;
import weir.feature.Feature;
import weir.plan.Experiment;

/** A conductor of experiments elsewhere, instead of by processes that this machine starts. */
public interface Conductor extends Feature.Part {
    /**
     * Conducts an experiment and returns its exit code; empty if the experiment does not ask for this conductor.
     *
     * @param ours values that override those of the file, as in {@link RunCommandOptions#conduct}
     */
    OptionalInt conduct(RunCommandOptions run, Path file, Experiment experiment, String... ours);
}
