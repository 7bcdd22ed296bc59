package weir.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an experiment. */
@Command(name = "run", header = "Run an experiment and report what it found.")
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Parameters(paramLabel = "FILE", description = "The experiment.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        return settings.conduct(spec, file, false);
    }
}
