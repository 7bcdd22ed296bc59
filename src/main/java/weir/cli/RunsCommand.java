package weir.cli;

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
import weir.cli.terminal.JsonOutput;
import weir.cli.terminal.LineOutput;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.UnreadableRunException;
import weir.run.Exit;

/** Lists the runs there are. */
@Command(name = "runs", header = "List the runs there are, the newest first.")
final class RunsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private FormatOption format = new FormatOption();

    private int broken;

    @Override
    public Integer call() {
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
                    row.get("run"), row.get("state"), LineOutput.harmless(String.valueOf(row.get("answer"))));
        }
        return exit();
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
        } catch (UnreadableRunException e) {
            // One damaged run must not hide the others.
            broken++;
            row.put("state", "unreadable");
            row.put("answer", "");
            spec.commandLine().getErr().println(LineOutput.harmless(String.valueOf(e.getMessage())));
        }
        return row;
    }
}
