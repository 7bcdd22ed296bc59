package weir.feature.partitions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.cli.FlagPlan;
import weir.cli.SearchCommand;

/** The {@code weir partitions} command: finds the number of partitions that carries a rate, without a file. */
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
public final class PartitionsCommand extends SearchCommand {
    @Option(
            names = "--for",
            paramLabel = "RATE",
            required = true,
            description = "The rate to carry, such as 10M/s or 2GB/s.")
    private String target = "";

    @Mixin
    private Limits limits = new Limits();

    @Override
    protected String question() {
        return "How many partitions carry " + target + "?";
    }

    @Override
    protected String partitions() {
        return "";
    }

    @Override
    protected void search(FlagPlan plan) {
        plan.value("    for", "--for", target);
        limits.add(plan);
    }
}
