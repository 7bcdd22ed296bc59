package weir.cli.runs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.FormatOption;
import weir.cli.OutputForm;
import weir.cli.OutputOptions;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.judge.trend.HistoryEntries;
import weir.judge.trend.TrendJudge;
import weir.plan.NearestWord;
import weir.report.export.GitHubAnnotations;
import weir.report.export.JUnitXml;
import weir.report.trend.TrendReport;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;
import weir.results.history.History;
import weir.results.history.HistoryEntry;
import weir.results.history.RunTrend;

/** The options that ask for a trend, and making it. */
final class TrendOptions {
    @Option(
            names = "--trend",
            paramLabel = "NAME",
            description = "Show this experiment over all its runs: each figure, and where its level changed.")
    private String name = "";

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "Also read the runs that 'weir run --history DIR' kept there; their folders may be gone.")
    private Path history = Path.of("");

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Look at this metric only, such as 'response p99'; several times.")
    private List<String> metrics = new ArrayList<>();

    @Option(names = "--gate", description = "Exit with 98 when something is worse since a change that is not accepted.")
    private boolean gate;

    @Option(names = "--accept", paramLabel = "RUN", description = "Accept all changes up to this run.")
    private String accepted = "";

    @Mixin
    private OutputOptions outputs = new OutputOptions();

    /** True when a trend is asked for; stops the command where only parts of one are. */
    boolean asked(CommandLine command) {
        if (!name.isEmpty()) {
            return true;
        }
        Map<String, Boolean> parts = new LinkedHashMap<>();
        parts.put("--gate", gate);
        parts.put("--accept", !accepted.isEmpty());
        parts.put("--metric", !metrics.isEmpty());
        parts.put("--history", !history.equals(Path.of("")));
        parts.put("--out", outputs.any());
        parts.forEach((option, given) -> {
            if (given) {
                throw new ParameterException(
                        command, option + " belongs to a trend; write weir runs --trend NAME " + option + " …");
            }
        });
        return false;
    }

    int show(Path runs, CommandLine command, FormatOption format) {
        outputs.refuse(OutputForm.Kind.QUANTILES, "quantiles are those of one run, and not of a trend", command);
        outputs.refuse(OutputForm.Kind.KNATIVE, "knative=DIR is a form of one run, and not of a trend", command);
        if (!gate && !accepted.isEmpty()) {
            throw new ParameterException(command, "--accept belongs to --gate, which it opens; add --gate");
        }
        List<String> damaged = new ArrayList<>();
        List<HistoryEntry> entries = entries(runs, damaged);
        damaged.forEach(line -> command.getErr().println(LineOutput.harmless(line)));
        RunTrend trend = TrendJudge.of(name, entries, damaged, metrics, gate, accepted);
        command.getOut()
                .println(
                        format.json() ? trend.toJson() : TrendReport.text(trend).stripTrailing());
        outputs.write(new Shown(trend), command, format);
        return trend.exit();
    }

    /** The entries of the experiment; a run that has its folder still may have gone on since it was kept. */
    private List<HistoryEntry> entries(Path runs, List<String> damaged) {
        List<HistoryEntry> entries = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (RunFolder folder : RunFolder.list(runs)) {
            names.add(folder.name());
            try {
                // Others are not looked into, whatever became of them.
                if (folder.name().equals(name)) {
                    entries.add(HistoryEntries.of(folder));
                }
            } catch (UnreadableRunException e) {
                damaged.add(String.valueOf(e.getMessage()));
            }
        }
        if (!history.equals(Path.of(""))) {
            names.addAll(History.experiments(history));
            History kept = History.read(history, name);
            entries.addAll(kept.runs());
            damaged.addAll(kept.damaged());
        }
        if (!names.contains(name)) {
            String where = history.equals(Path.of("")) ? runs.toString() : history + " and " + runs;
            throw new UnreadableRunException("'" + name + "': no run in " + where + " has this name"
                    + (names.isEmpty() ? "; there are none" : NearestWord.hint(name, names)));
        }
        return entries;
    }

    /** A trend in its other forms. */
    private record Shown(RunTrend trend) implements OutputForm.Told {
        @Override
        public String junit() {
            return JUnitXml.of(trend);
        }

        @Override
        public String html() {
            return TrendReport.html(trend, WeirVersion.number());
        }

        @Override
        public List<String> github() {
            return GitHubAnnotations.of(trend);
        }
    }
}
