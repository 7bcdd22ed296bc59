package weir.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.plan.syntax.ShellWord;

public final class RunsFolderOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    private Path path = Path.of("runs");

    @Option(names = "--runs", paramLabel = "DIR", description = "Folder of all runs (default: ./runs).")
    void path(Path given) {
        if (Files.exists(given) && !Files.isDirectory(given)) {
            throw new ParameterException(spec.commandLine(), "--runs: '" + given + "' is a file; give a folder");
        }
        path = given;
    }

    /** Returns the option as the user would type it for this folder, after a space; empty for the default folder. */
    public String typed() {
        return path.equals(Path.of("runs")) ? "" : " --runs " + ShellWord.of(path.toString());
    }

    public Path path() {
        return path;
    }
}
