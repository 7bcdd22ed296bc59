package weir.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A Kafka to use by hand. */
@Command(
        name = "cluster",
        header = "Start, stop or look at a Kafka to use by hand; make a topic; fetch releases.",
        synopsisSubcommandLabel = "start|stop|status|topic|fetch",
        subcommands = {
            ClusterStartCommand.class,
            ClusterStopCommand.class,
            ClusterStatusCommand.class,
            ClusterTopicCommand.class,
            ClusterFetchCommand.class
        })
public final class ClusterCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "start, stop, status, topic or fetch? weir cluster --help tells more");
    }
}
