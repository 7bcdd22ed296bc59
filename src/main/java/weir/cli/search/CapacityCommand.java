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

/** Finds the highest rate that a Kafka holds, without a file. */
@Command(
        name = "capacity",
        header = "Find the highest rate that a Kafka sustains within limits.",
        description = {
            "Tries fixed rates, one after the other, until the highest that is sustained and the lowest that is refused are as"
                    + " close as asked; a longer trial confirms the answer. Always required: 99.5 %% of the rate is"
                    + " achieved, no queue grows, nothing fails, nothing is lost, and the readers do not fall behind.",
            "A cluster of --bootstrap-server is not ours, so there it takes a bound: --to or --max-rate."
        })
public final class CapacityCommand implements Callable<Integer> {
    private static final String NAME = "capacity";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Mixin
    private LimitOption limits = new LimitOption();

    @Option(names = "--precision", paramLabel = "SHARE", description = "How close the ends of the answer must be.")
    private String precision = "5%";

    @Option(names = "--from", paramLabel = "RATE", description = "The lowest rate it tries: 1k/s.")
    private String from = "";

    @Option(names = "--to", paramLabel = "RATE", description = "The highest rate that may be tried.")
    private String to = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic; 6.")
    private String partitions = "6";

    @Override
    public Integer call() throws IOException {
        PerfPlan plan = plan();
        return LoadOptions.conduct(spec, settings, plan, NAME);
    }

    /** The experiment that the flags say. */
    private PerfPlan plan() {
        PerfPlan plan = new PerfPlan();
        plan.add("name: " + NAME);
        plan.add("question: " + PerfPlan.quoted(question()));
        load.add(plan, spec, settings.elsewhere(), NAME, partitions);
        // What is missing in a section is found at its first line, which is no flag's.
        plan.add("search:").add("  capacity:").add("    warmup: 2s");
        LoadOptions.value(plan, "    precision", "--precision", precision);
        LoadOptions.value(plan, "    from", "--from", from);
        LoadOptions.value(plan, "    to", "--to", to);
        limits.add(plan);
        return plan;
    }

    private String question() {
        return "What is the highest rate that is sustained"
                + (limits.given().isEmpty() ? "" : " with " + String.join(" and ", limits.given())) + "?";
    }
}
