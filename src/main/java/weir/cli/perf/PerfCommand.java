package weir.cli.perf;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stands in for Kafka's own performance tools. */
@Command(
        name = "perf",
        header = "Replace Kafka's own performance tools: same flags, same output lines.",
        synopsisSubcommandLabel = "producer|consumer",
        subcommands = {PerfProducerCommand.class, PerfConsumerCommand.class})
public final class PerfCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "producer or consumer? weir perf --help tells more");
    }
}
