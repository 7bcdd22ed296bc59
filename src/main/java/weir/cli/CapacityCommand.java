package weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.plan.Limits;

/** The {@code weir capacity} command: finds the highest rate that a Kafka sustains, without a file. */
@Command(
        name = "capacity",
        header = "Find the highest rate that a Kafka sustains within limits.",
        description = {
            "Tries fixed rates, one after the other, until the highest that is sustained and the lowest that is refused are as"
                    + " close as asked; a longer trial confirms the answer. Always required: 99.5 %% of the rate is"
                    + " achieved, no queue grows, nothing fails, nothing is lost, and the readers do not fall behind.",
            "A cluster of --bootstrap-server is not ours, so there it takes a bound: --to or --max-rate."
        })
public final class CapacityCommand extends SearchCommand {
    @Mixin
    private Limits limits = new Limits();

    @Option(names = "--precision", paramLabel = "SHARE", description = "How close the ends of the answer must be.")
    private String precision = "5%";

    @Option(names = "--from", paramLabel = "RATE", description = "The lowest rate it tries: 1k/s.")
    private String from = "";

    @Option(names = "--to", paramLabel = "RATE", description = "The highest rate that may be tried.")
    private String to = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic; 6.")
    private String partitions = "6";

    @Override
    protected String question() {
        return "What is the highest rate that is sustained"
                + (limits.given().isEmpty() ? "" : " with " + String.join(" and ", limits.given())) + "?";
    }

    @Override
    protected String partitions() {
        return partitions;
    }

    @Override
    protected void search(FlagPlan plan) {
        // The first line belongs to no flag: problems of missing keys are reported there.
        plan.add("    warmup: 2s")
                .value("    precision", "--precision", precision)
                .value("    from", "--from", from)
                .value("    to", "--to", to);
        limits.add(plan);
    }
}
