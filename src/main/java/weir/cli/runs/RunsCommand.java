package weir.cli.runs;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.cli.FormatOption;
import weir.cli.RunsFolderOption;
import weir.cli.terminal.JsonOutput;
import weir.cli.terminal.LineOutput;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;
import weir.run.Exit;

/** Lists the runs there are, or shows one experiment over all its runs. */
@Command(
        name = "runs",
        header = "List the runs there are, or show one experiment over all of them.",
        description = {
            "A trend shows each figure of an experiment over its runs, where its level changed, and what else changed there.",
            "With --gate it fails on a change for the worse, not on one bad day: 98, or 4 while there are too few runs."
        })
public final class RunsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private TrendOptions trend = new TrendOptions();

    private int broken;

    @Override
    public Integer call() {
        if (trend.asked(spec.commandLine())) {
            return trend.show(runs.path(), spec.commandLine(), format);
        }
        PrintWriter out = spec.commandLine().getOut();
        List<RunFolder> folders = RunFolder.list(runs.path());
        if (format.json()) {
            JsonOutput.print(out, folders.stream().map(this::row).toList());
            return exit();
        }
        if (folders.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("no runs in " + runs.path() + "; weir quick" + runs.typed() + " makes one");
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
            spec.commandLine().getErr().println(LineOutput.harmless(String.valueOf(e.getMessage())));
        }
        return row;
    }
}
