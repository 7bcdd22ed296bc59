package weir.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.terminal.HumanAmount;
import weir.cluster.ClusterUnavailable;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Rate;
import weir.plan.Variant;
import weir.plan.read.PlanReader;
import weir.plan.trial.Estimate;
import weir.plan.trial.ExtraTrials;
import weir.results.ResultJson;
import weir.run.Exit;
import weir.run.Preflight;
import weir.run.PreflightException;
import weir.run.RunOptions;

/** The {@code weir check} command, which reports all problems of a file, or the resources that a run needs. */
@Command(
        name = "check",
        header = "Check an experiment file, and estimate the time and the disk space of its run.",
        description = "Exit codes: 2 if the file is wrong, 3 if this machine or cluster cannot run the experiment.",
        footer = "Example: weir check experiment.yaml")
final class CheckCommand extends FormattedCommand implements Callable<Integer> {
    @Mixin
    private ExperimentFileOptions options = new ExperimentFileOptions();

    @Mixin
    private RunExtensions extensions = new RunExtensions(RunExtension::checks);

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(names = "--max-rate", paramLabel = "RATE", description = "Highest rate that Weir accepts, such as 5k/s.")
    private Rate maxRate = Rate.of(0);

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Experiment files.")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        List<Exit> exits = new ArrayList<>();
        for (Path file : files) {
            try {
                Experiment read = PlanReader.read(file, options.overrides(extensions.over()));
                extensions.check(command(), read);
                exits.add(check(file, read));
            } catch (Problems problems) {
                exits.add(Exit.USAGE);
                print(file, problems.list());
            }
        }
        return Exit.worst(exits).code();
    }

    private Exit check(Path file, Experiment experiment) {
        RunOptions run = new RunOptions(
                runs.path(), true, maxRate.perSecond(), 0, Path.of(""), WeirVersion.number(), "weir check");
        try {
            print(file, experiment, List.of(), Preflight.check(experiment, run));
            return Exit.FINE;
        } catch (Problems problems) {
            return refused(file, experiment, problems.list(), Exit.USAGE);
        } catch (PreflightException | ClusterUnavailable e) {
            // A line that begins with a blank continues the problem of the line above.
            List<Problem> lines = Pattern.compile("\n(?! )")
                    .splitAsStream(String.valueOf(e.getMessage()))
                    .map(line -> Problem.of("", line))
                    .toList();
            return refused(file, experiment, lines, Exit.PREFLIGHT);
        }
    }

    private Exit refused(Path file, Experiment experiment, List<Problem> problems, Exit exit) {
        if (format.json()) {
            print(file, experiment, problems, List.of());
        } else {
            problems.forEach(problem -> err().println(problem.text()));
        }
        return exit;
    }

    private void print(Path file, Experiment experiment, List<Problem> open, List<String> remarks) {
        PrintWriter out = out();
        Estimate estimate = Estimate.of(experiment);
        if (format.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", file.toString());
            object.put("name", experiment.name());
            object.put("valid", true);
            object.put("runs", open.isEmpty());
            object.put(
                    "variants",
                    experiment.variants().stream().map(v -> v.name()).toList());
            object.put("trials", estimate.trials());
            object.put("workers", workers(experiment));
            object.put("seconds", estimate.time().toMillis() / 1e3);
            object.put("records", estimate.records());
            object.put("bytes", estimate.bytes());
            object.put("fileBytes", estimate.files());
            object.put("bounded", estimate.bounded());
            object.put("problems", listed(open));
            object.put("notes", notes(experiment, remarks));
            out.println(ResultJson.line(object));
            return;
        }
        out.printf(
                "%s: no problems; %s, %s%s, about %s. Writes %s %s of records%s, and %s of files in the run folder%n",
                file,
                HumanAmount.count(experiment.variants().size(), "variant"),
                estimate.trials() == 0 ? "a search" : HumanAmount.count(estimate.trials(), "trial"),
                (workers(experiment) > 1 ? " of " + HumanAmount.count(workers(experiment), "worker") : "")
                        + (estimate.trials() == 0 || experiment.adaptive().isEmpty() ? "" : " after a search"),
                HumanAmount.time(estimate.time()),
                estimate.bounded() ? "at most" : "about",
                HumanAmount.bytes(estimate.bytes()),
                estimate.bounded()
                        ? ""
                        : String.format(" (assuming %,.0f operations/s without a rate)", estimate.assumed()),
                HumanAmount.bytes(estimate.files()));
        notes(experiment, remarks).forEach(note -> out.println("note: " + note));
    }

    private static List<String> notes(Experiment experiment, List<String> remarks) {
        List<String> notes = new ArrayList<>(remarks);
        notes.addAll(experiment.remarks());
        notes.addAll(experiment.leftOutWithVariants());
        notes.addAll(ExtraTrials.all(extra -> extra.leftOut(experiment)));
        notes.addAll(Preflight.askedOfOperators(experiment));
        experiment.variants().stream()
                .map(variant -> variant.load().idleWorkers())
                .filter(idle -> !idle.isEmpty())
                .distinct()
                .forEach(idle -> notes.add("load.workers: " + idle));
        if (experiment.variants().stream().noneMatch(Variant::inPods)
                && experiment.variants().stream().anyMatch(variant -> variant.hasSettings("kubernetes"))) {
            notes.add("kubernetes: has no effect without pods; --on kubernetes runs all parts in pods");
        }
        return notes;
    }

    private static int workers(Experiment experiment) {
        return experiment.variants().stream()
                .mapToInt(variant -> variant.load().processes())
                .max()
                .orElse(1);
    }

    private void print(Path file, List<Problem> problems) {
        if (format.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", file.toString());
            object.put("valid", false);
            object.put("problems", listed(problems));
            out().println(ResultJson.line(object));
        } else {
            problems.forEach(problem -> err().println(problem.text()));
        }
    }

    private static List<Map<String, Object>> listed(List<Problem> problems) {
        return problems.stream()
                .map(problem -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("source", problem.source());
                    object.put("line", problem.line());
                    object.put("column", problem.column());
                    object.put("message", problem.message());
                    return object;
                })
                .toList();
    }
}
