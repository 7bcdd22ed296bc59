package weir.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where runs are. */
final class RunsFolder {
    @Option(names = "--runs", paramLabel = "DIR", description = "The folder of all runs; without it, ./runs.")
    private Path path = Path.of("runs");

    Path path() {
        return path;
    }
}
