package weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Answers "what does this Kafka do here?" without a file. */
@Command(
        name = "quick",
        header = "Start a Kafka, load it step by step and report what it does here.",
        description = "Runs the example 01-hello. With --bootstrap-server it stays under 5,000 records/s.")
final class QuickCommand implements Callable<Integer> {
    private static final String EXAMPLE = "01-hello";
    /** Gentle enough for a cluster that others use. */
    private static final String[] GENTLE = {
        "load.rate={steps: [1k/s to 4k/s by 1k/s for 6s], rest: 1s}", "warmup={for: 5s, rate: 1k/s}"
    };

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Option(names = "--no-open", description = "Do not open the browser.")
    private boolean closed;

    @Override
    public Integer call() throws IOException {
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path file = written.folder().resolve(EXAMPLE + ".yaml");
            Files.writeString(file, BundledExperiments.text(EXAMPLE));
            return settings.conduct(spec, file, !closed, settings.elsewhere() ? GENTLE : new String[0]);
        }
    }
}
