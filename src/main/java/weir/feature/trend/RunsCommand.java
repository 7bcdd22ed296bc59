package weir.feature.trend;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.cli.FormattedCommand;
import weir.cli.Gate;
import weir.cli.OutputForm;
import weir.cli.OutputOptions;
import weir.cli.RunsFolderOption;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.plan.NearestWord;
import weir.report.export.CheckExport;
import weir.results.GateOutcome;
import weir.results.ResultJson;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;
import weir.run.Exit;

/** The {@code weir runs} command, which lists runs or shows one experiment over all its runs. */
@Command(
        name = "runs",
        header = "List all runs, or show the trend of one experiment.",
        footer = "Example: weir runs --trend hello",
        description = {
            "A trend shows each figure of an experiment in all its runs. For each run where the level of a"
                    + " figure changed, the trend also shows what else changed.",
            "With --gate, exit code 98 means that a level got worse. Exit code 4 means that there are too few runs."
                    + " A single bad run is not a change of level."
        })
public final class RunsCommand extends FormattedCommand implements Gate {
    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(names = "--trend", paramLabel = "NAME", description = "Show the trend of this experiment.")
    private String name = "";

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "Also read the summaries of 'weir run --history DIR'.")
    private Path history = Path.of("");

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Show only this metric, such as 'response p99'. Repeatable.")
    private List<String> metrics = new ArrayList<>();

    @Option(names = "--gate", description = "Exit with 98 if a figure is worse after a change that is not accepted.")
    private boolean gate;

    @Option(names = "--accept", paramLabel = "RUN", description = "Accept all changes up to this run.")
    private String accepted = "";

    @Mixin
    private OutputOptions outputs = new OutputOptions();

    private int broken;

    @Override
    public Integer call() {
        if (asked()) {
            return trend();
        }
        PrintWriter out = out();
        List<RunFolder> folders = RunFolder.list(runs.path());
        if (format.json()) {
            out.println(ResultJson.line(folders.stream().map(this::row).toList()));
            return exit();
        }
        if (folders.isEmpty()) {
            err().println("no runs in " + runs.path() + "; weir quick" + runs.typed() + " makes one");
        }
        for (RunFolder folder : folders) {
            Map<String, Object> row = row(folder);
            out.printf(
                    "%-44s %-10s %s%n",
                    row.get("run"), row.get("state"), LineOutput.harmless(labels(row) + row.get("answer")));
        }
        return exit();
    }

    private static String labels(Map<String, Object> row) {
        String labels = String.valueOf(row.get("labels"));
        return labels.equals("{}") ? "" : "[" + labels.substring(1, labels.length() - 1) + "] ";
    }

    private int exit() {
        return (broken == 0 ? Exit.FINE : Exit.USAGE).code();
    }

    private Map<String, Object> row(RunFolder folder) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("run", folder.path().toString());
        row.put("name", folder.name());
        try {
            Optional<RunResult> result = folder.result();
            row.put(
                    "state",
                    result.map(r -> r.state(folder.asked()))
                            .orElse(RunState.UNFINISHED)
                            .word());
            row.put("answer", result.map(r -> r.conclusion().answer()).orElse(""));
            row.put("labels", folder.labels().labels());
        } catch (UnreadableRunException e) {
            // One damaged run must not hide the others.
            broken++;
            row.put("state", "unreadable");
            row.put("answer", "");
            row.put("labels", Map.of());
            err().println(LineOutput.harmless(String.valueOf(e.getMessage())));
        }
        return row;
    }

    private boolean asked() {
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
                throw wrong(option + " requires --trend; write weir runs --trend NAME " + option + " …");
            }
        });
        return false;
    }

    private int trend() {
        outputs.refuse(OutputForm.Kind.QUANTILES, "a trend has no quantiles; name one run instead", command());
        outputs.refuse(OutputForm.Kind.KNATIVE, "knative=DIR needs one run instead of a trend", command());
        if (!gate && !accepted.isEmpty()) {
            throw wrong("--accept requires --gate; add it");
        }
        List<String> damaged = new ArrayList<>();
        List<HistoryEntry> entries = entries(damaged);
        damaged.forEach(line -> err().println(LineOutput.harmless(line)));
        RunTrend trend = TrendJudge.of(name, entries, damaged, metrics, gate, accepted);
        TrendReport report = new TrendReport(trend);
        out().println(format.json() ? ResultJson.write(trend) : report.text().stripTrailing());
        outputs.write(
                new OutputForm.OutputContent(() -> checks(trend), () -> report.html(WeirVersion.number())),
                command(),
                format);
        return trend.exit();
    }

    private List<HistoryEntry> entries(List<String> damaged) {
        List<HistoryEntry> entries = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (RunFolder folder : RunFolder.list(runs.path())) {
            names.add(folder.name());
            try {
                // Only the folders of this experiment are read.
                if (folder.name().equals(name)) {
                    entries.add(HistoryEntry.of(folder));
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
            String where = history.equals(Path.of("")) ? runs.path().toString() : history + " and " + runs.path();
            throw new UnreadableRunException("'" + name + "': no run with this name in " + where
                    + (names.isEmpty() ? ", which has no run" : NearestWord.hint(name, names)));
        }
        return entries;
    }

    static CheckExport checks(RunTrend trend) {
        List<CheckExport.Item> items = new ArrayList<>();
        RunTrend.Gate gate = trend.gate();
        List<RunTrend.Reason> why = gate == null ? List.of() : gate.why();
        CheckExport.State bad = gate != null && gate.outcome() == GateOutcome.REGRESSION
                ? CheckExport.State.FAILED
                : CheckExport.State.ERROR;
        for (RunTrend.Series series : trend.series()) {
            List<String> own = why.stream()
                    .filter(reason -> reason.series().equals(series.name()))
                    .map(RunTrend.Reason::text)
                    .toList();
            items.add(new CheckExport.Item(
                    series.name(),
                    own.isEmpty() ? CheckExport.State.PASSED : bad,
                    own.isEmpty() ? series.changes().size() + " changes of level" : String.join("; ", own)));
        }
        why.stream()
                .filter(reason -> reason.series().isEmpty())
                .forEach(reason -> items.add(new CheckExport.Item("the runs can be judged", bad, reason.text())));
        return new CheckExport(
                "trend." + trend.name(), "weir trend " + trend.name(), new TrendReport(trend).answer(), 0, "", items);
    }
}
