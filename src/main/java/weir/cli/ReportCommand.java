package weir.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.terminal.Browser;
import weir.cli.terminal.LineOutput;
import weir.host.Journal;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.report.export.QuantileFiles;
import weir.results.RunFolder;

/** Makes the report of a run again. */
@Command(name = "report", header = "Show a run, and make its report again from the run folder.")
final class ReportCommand extends CliCommand implements Runnable {
    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(
            names = "--quantiles",
            paramLabel = "DIR",
            description = "Also write the latencies of single operations, one file for each variant.")
    private List<Path> quantiles = List.of();

    @Mixin
    private OutputOptions outputs = new OutputOptions();

    @Option(names = "--open", description = "Open the report in the browser.")
    private boolean open;

    @Parameters(paramLabel = "RUN", description = "A folder, a name (its newest) or name~1 (the one before).")
    private String run = "";

    @Override
    public void run() {
        RunFolder folder = RunFolder.resolve(runs.path(), run);
        boolean goesOn = Journal.running(Journal.state())
                .contains(folder.path().toAbsolutePath().normalize());
        Path report = HtmlReport.write(folder, goesOn);
        out().println(LineOutput.harmless(TextReport.of(folder, goesOn).stripTrailing()));
        quantiles.forEach(into -> QuantileFiles.write(folder, into).forEach(out()::println));
        outputs.write(new RunOutput(folder, folder::concluded, report), command(), new FormatOption());
        if (open) {
            var unused = Browser.open(report, System.getenv());
        }
    }
}
