package weir.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.plan.Estimate;
import weir.plan.Experiment;
import weir.plan.PlanReader;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Unbuilt;
import weir.run.Exit;

/** Tells everything that is wrong with a file, or what running it will take. */
@Command(name = "check", header = "Say what is wrong with an experiment file, or what running it takes.")
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FileOptions options = new FileOptions();

    @Mixin
    private Format format = new Format();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Experiment files.")
    private List<Path> files = List.of();

    @Override
    public Integer call() {
        int worst = Exit.FINE.code();
        for (Path file : files) {
            try {
                Experiment experiment = PlanReader.read(file, options.overrides());
                tell(file, experiment);
            } catch (Problems problems) {
                worst = Exit.USAGE.code();
                tell(file, problems.list());
            }
        }
        return worst;
    }

    private void tell(Path file, Experiment experiment) {
        PrintWriter out = spec.commandLine().getOut();
        Estimate estimate = Estimate.of(experiment);
        List<Problem> open = new ArrayList<>(experiment.missing());
        open.addAll(Unbuilt.in(experiment));
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
            object.put("bounded", estimate.bounded());
            object.put("problems", listed(open));
            Json.print(out, object);
            return;
        }
        out.printf(
                "%s: fine; %s, %s%s, about %s, %s %s written%s%n",
                file,
                Amount.count(experiment.variants().size(), "variant"),
                estimate.trials() == 0 ? "a search" : Amount.count(estimate.trials(), "trial"),
                (workers(experiment) > 1 ? " of " + Amount.count(workers(experiment), "worker") : "")
                        + (estimate.trials() == 0 || experiment.capacities().isEmpty() ? "" : " after a search"),
                Amount.time(estimate.time()),
                estimate.bounded() ? "at most" : "about",
                Amount.bytes(estimate.bytes()),
                estimate.bounded()
                        ? ""
                        : String.format(" (taking %,.0f operations/s where nothing bounds them)", estimate.assumed()));
        experiment.variants().stream()
                .map(variant -> variant.load().idleWorkers())
                .filter(idle -> !idle.isEmpty())
                .distinct()
                .forEach(idle -> out.println("note: load.workers: " + idle));
        open.forEach(problem -> out.println("not yet: " + problem.text()));
    }

    private static int workers(Experiment experiment) {
        return experiment.variants().stream()
                .mapToInt(variant -> variant.load().processes())
                .max()
                .orElse(1);
    }

    private void tell(Path file, List<Problem> problems) {
        if (format.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("file", file.toString());
            object.put("valid", false);
            object.put("problems", listed(problems));
            Json.print(spec.commandLine().getOut(), object);
        } else {
            problems.forEach(problem -> spec.commandLine().getErr().println(problem.text()));
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
