package weir.feature.publish;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.run.Exit;

/** The {@code weir verify} command, which needs neither a cluster nor the machine of the run. */
@Command(
        name = "verify",
        header = "Check published results: compute every figure from the raw files again.",
        footer = "Example: weir verify published/20261127-105521-hello",
        description = {
            "Checks the checksums of all files. Then computes all figures, verdicts and intervals again, and names each"
                    + " that differs.",
            "Exit codes: 0 if nothing differs, 5 if something differs, 2 if a folder is not a published result."
        })
final class VerifyCommand extends CliCommand implements Callable<Integer> {
    private static final int MOST_SHOWN = 10;

    @Parameters(paramLabel = "DIR", arity = "1..*", description = "Folders that weir publish made.")
    private List<Path> folders = List.of();

    @Override
    public Integer call() {
        List<Exit> exits = new ArrayList<>();
        for (Path folder : folders) {
            Verification verification = Verification.of(folder);
            List<String> differences = verification.differences();
            differences.stream().limit(MOST_SHOWN).forEach(err()::println);
            out().println(verification.summary());
            exits.add(differences.isEmpty() ? Exit.FINE : Exit.BROKEN_PROMISE);
        }
        return Exit.worst(exits).code();
    }
}
