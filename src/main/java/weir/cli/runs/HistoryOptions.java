package weir.cli.runs;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.judge.trend.HistoryEntries;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.Unwritable;
import weir.results.history.History;
import weir.results.history.HistoryEntry;

/** The options of a run that keep its results for trends. */
public final class HistoryOptions {
    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "Also keep a summary of the run in this folder, for weir runs --trend; its own may go then.")
    private Path folder = Path.of("");

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "Say what is tested, such as commit=4f2a91c, for the list of runs and trends; several times.")
    private Map<String, String> labels = new LinkedHashMap<>();

    public RunLabels labels() {
        return new RunLabels(new TreeMap<>(labels));
    }

    public void check(CommandLine command) {
        try {
            RunLabels unused = labels();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--label: " + e.getMessage());
        }
        if (!folder.equals(Path.of(""))) {
            History.check(folder);
        }
    }

    /** Keeps the results of a run; on failure prints the reason and returns false. */
    public boolean keep(RunFolder run, PrintWriter err) {
        try {
            HistoryEntry summary = HistoryEntries.write(run);
            if (!folder.equals(Path.of(""))) {
                History.keep(folder, summary);
            }
            return true;
        } catch (UncheckedIOException e) {
            err.println("the run could not be kept for trends: " + e.getMessage() + ": "
                    + Unwritable.reason(e).orElse(String.valueOf(e.getCause())) + "; its folder has everything");
            return false;
        }
    }
}
