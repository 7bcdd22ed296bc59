package weir.cli.cluster;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import weir.cluster.start.NamedCluster;
import weir.host.Journal;

/** Stops what was started by hand. Fine when there is nothing to stop, so that scripts may always do it. */
@Command(name = "stop", header = "Stop a Kafka started by hand, and delete its data.")
final class ClusterStopCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterNameOption name = new ClusterNameOption();

    @Option(names = "--all", description = "Stop all of them.")
    private boolean all;

    @Override
    public void run() {
        List<NamedCluster> meant = NamedCluster.list(Journal.state()).stream()
                .filter(cluster -> all || cluster.name().equals(name.name()))
                .toList();
        for (NamedCluster cluster : meant) {
            cluster.stop();
            spec.commandLine().getErr().println("stopped '" + cluster.name() + "' at " + cluster.bootstrap());
        }
        if (meant.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println(
                            all
                                    ? "no cluster was started by hand"
                                    : "no cluster '" + name.name() + "' was started by hand");
        }
    }
}
