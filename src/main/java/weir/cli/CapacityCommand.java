package weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.plan.Limits;

/** The {@code weir capacity} command, which searches for the highest rate that a cluster sustains. */
@Command(
        name = "capacity",
        header = "Find the highest rate that a Kafka cluster sustains within limits.",
        footer = "Example: weir capacity" + " --limit 'response p99 < 50ms'",
        description = {
            "Runs trials at fixed rates. The search ends when the highest sustained rate and the lowest refused rate"
                    + " differ by less than --precision. A longer trial confirms the answer.",
            "A rate is sustained if at least 99.5%% of the rate is achieved, no queue grows, no operation fails, no"
                    + " record is lost, and the readers do not fall behind.",
            "The option --bootstrap-server also requires --to or --max-rate."
        })
public final class CapacityCommand extends SearchCommand {
    @Mixin
    private Limits limits = new Limits();

    @Option(
            names = "--precision",
            paramLabel = "SHARE",
            description = "Largest gap between the highest sustained and the lowest refused rate (default: 5%%).")
    private String precision = "5%";

    @Option(names = "--from", paramLabel = "RATE", description = "The lowest rate to try (default: 1k/s).")
    private String from = "";

    @Option(names = "--to", paramLabel = "RATE", description = "The highest rate to try.")
    private String to = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic (default: 6).")
    private String partitions = "6";

    @Override
    protected String question() {
        String with = limits.given().isEmpty() ? "" : " with " + String.join(" and ", limits.given());
        return "What is the highest sustained rate" + with + "?";
    }

    @Override
    protected String partitions() {
        return partitions;
    }

    @Override
    protected void search(FlagPlan plan) {
        // Weir reports a missing key at this first line, which no flag writes.
        plan.add("    warmup: 2s")
                .value("    precision", "--precision", precision)
                .value("    from", "--from", from)
                .value("    to", "--to", to);
        limits.add(plan);
    }
}
