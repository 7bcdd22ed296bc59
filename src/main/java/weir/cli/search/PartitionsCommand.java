package weir.cli.search;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import weir.cli.RunCommandOptions;
import weir.cli.perf.PerfPlan;

/** Finds the number of partitions that carries a rate, without a file. */
@Command(
        name = "partitions",
        header = "Find how many partitions carry a rate.",
        description = {
            "Measures the rate P that one partition takes and the rate C that one consumer reads of it, calculates"
                    + " max(T/P, T/C), rounded up, with its interval, tests whether 1, 2, 4 and 8 partitions add, and tries"
                    + " that number and one less with the whole load: at the rate T, or at the share of it that this machine"
                    + " carries, which is said.",
            "On a cluster of --bootstrap-server nothing is sent faster than T, or than --max-rate."
        })
public final class PartitionsCommand implements Callable<Integer> {
    private static final String NAME = "partitions";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Option(
            names = "--for",
            paramLabel = "RATE",
            required = true,
            description = "The rate to carry, such as 10M/s or 2GB/s.")
    private String target = "";

    @Mixin
    private LimitOption limits = new LimitOption();

    @Override
    public Integer call() throws IOException {
        PerfPlan plan = new PerfPlan();
        plan.add("name: " + NAME);
        plan.add("question: " + PerfPlan.quoted("How many partitions carry " + target + "?"));
        load.add(plan, spec, settings.elsewhere(), NAME, "");
        plan.add("search:").add("  partitions:");
        LoadOptions.value(plan, "    for", "--for", target);
        limits.add(plan);
        return LoadOptions.conduct(spec, settings, plan, NAME);
    }
}
