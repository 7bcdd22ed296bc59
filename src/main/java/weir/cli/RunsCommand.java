package weir.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.results.RunFolder;
import weir.results.RunResult;

/** Lists the runs there are. */
@Command(name = "runs", header = "List the runs there are, the newest first.")
final class RunsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunsFolder runs = new RunsFolder();

    @Mixin
    private Format format = new Format();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<RunFolder> folders = RunFolder.list(runs.path());
        if (format.json()) {
            Json.print(out, folders.stream().map(RunsCommand::row).toList());
            return;
        }
        if (folders.isEmpty()) {
            spec.commandLine().getErr().println("no runs in " + runs.path() + "; weir quick makes one");
        }
        for (RunFolder folder : folders) {
            Map<String, Object> row = row(folder);
            out.printf("%-44s %-10s %s%n", row.get("run"), row.get("state"), row.get("answer"));
        }
    }

    private static Map<String, Object> row(RunFolder folder) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("run", folder.path().toString());
        row.put("name", folder.name());
        row.put("state", folder.result().map(RunsCommand::state).orElse("unfinished"));
        row.put("answer", folder.result().map(r -> r.conclusion().answer()).orElse(""));
        return row;
    }

    private static String state(RunResult result) {
        return result.valid() ? "valid" : "invalid";
    }
}
