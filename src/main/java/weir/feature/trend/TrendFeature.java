package weir.feature.trend;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import weir.cli.RunExtension;
import weir.feature.Feature;
import weir.plan.Experiment;
import weir.results.RunFolder;
import weir.results.UnwritableDisk;

/** The list of all runs, and the trend of one experiment over its runs. */
public final class TrendFeature implements Feature {
    @Override
    public List<Class<?>> commands() {
        return List.of(RunsCommand.class);
    }

    @Override
    public List<Part> options() {
        return List.of(new HistoryOptions());
    }

    static final class HistoryOptions implements RunExtension {
        @Option(
                names = "--history",
                paramLabel = "DIR",
                description =
                        "Also write a summary of the run to this folder. weir runs --trend reads the summary even if"
                                + " the run folder is deleted.")
        private Path folder = Path.of("");

        @Override
        public void check(CommandLine command, Experiment experiment) {
            if (!folder.equals(Path.of(""))) {
                History.check(folder);
            }
        }

        @Override
        public boolean keep(RunFolder run, PrintWriter err) {
            try {
                HistoryEntry summary = HistoryEntry.write(run);
                if (!folder.equals(Path.of(""))) {
                    History.keep(folder, summary);
                }
                return true;
            } catch (UncheckedIOException e) {
                err.println("cannot write the summary of the run for trends: " + e.getMessage() + ": "
                        + UnwritableDisk.reason(e).orElse(String.valueOf(e.getCause()))
                        + "; the run folder is complete");
                return false;
            }
        }
    }
}
