package weir.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.PlanReader;

/** Runs an experiment. */
@Command(name = "run", header = "Run an experiment and report what it found.")
final class RunCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FileOptions options = new FileOptions();

    @Mixin
    private RunSettings settings = new RunSettings();

    @Mixin
    private Format format = new Format();

    @Parameters(paramLabel = "FILE", description = "The experiment.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        return new Conductor(spec.commandLine(), format, false)
                .conduct(PlanReader.read(file, options.overrides()), settings.options(Typed.of(spec)));
    }
}
