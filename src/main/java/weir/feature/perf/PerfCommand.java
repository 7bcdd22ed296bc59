package weir.feature.perf;

import picocli.CommandLine.Command;
import weir.cli.CliCommand;

/** The {@code weir perf} command, a replacement of Kafka's own performance tools. */
@Command(
        name = "perf",
        header = "Replace Kafka's own performance tools: same flags, same output lines.",
        footer = "Example: weir" + " perf producer --help",
        synopsisSubcommandLabel = "producer|consumer|share-consumer",
        subcommands = {PerfProducerCommand.class, PerfConsumerCommand.class, PerfShareConsumerCommand.class})
public final class PerfCommand extends CliCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("name a tool: weir perf producer, weir perf consumer, or weir perf share-consumer");
    }
}
