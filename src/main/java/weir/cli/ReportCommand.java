package weir.cli;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;

/** Makes the report of a run again. */
@Command(name = "report", header = "Show a run, and make its report again from the run folder.")
final class ReportCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunsFolder runs = new RunsFolder();

    @Option(names = "--open", description = "Open the report in the browser.")
    private boolean open;

    @Parameters(paramLabel = "RUN", description = "A folder, a name (its newest) or name~1 (the one before).")
    private String run = "";

    @Override
    public void run() {
        RunFolder folder = RunFolder.resolve(runs.path(), run);
        Path report = HtmlReport.write(folder);
        spec.commandLine().getOut().println(Lines.harmless(TextReport.of(folder).stripTrailing()));
        if (open) {
            var unused = Browser.open(report, System.getenv());
        }
    }
}
