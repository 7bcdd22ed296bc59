package weir.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import weir.plan.syntax.ShellWord;

/** The option that says where runs are. */
public final class RunsFolderOption {
    @Option(names = "--runs", paramLabel = "DIR", description = "The folder of all runs; without it, ./runs.")
    private Path path = Path.of("runs");

    /** The option as it has to be typed for this folder, with a blank before it; empty for the usual one. */
    public String typed() {
        return path.equals(Path.of("runs")) ? "" : " --runs " + ShellWord.of(path.toString());
    }

    public Path path() {
        return path;
    }
}
