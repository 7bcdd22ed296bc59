package weir.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.cluster.NamedCluster;
import weir.host.Journal;

/** Tells which clusters were started by hand. */
@Command(name = "status", header = "List what was started by hand.")
final class ClusterStatusCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Format format = new Format();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<ClusterName.Shown> clusters = NamedCluster.list(Journal.state()).stream()
                .map(ClusterName::shown)
                .toList();
        if (format.json()) {
            Json.print(out, clusters);
            return;
        }
        if (clusters.isEmpty()) {
            spec.commandLine().getErr().println("none was started by hand; weir cluster start starts one");
        }
        for (ClusterName.Shown cluster : clusters) {
            out.printf(
                    "%-12s %s  Kafka %s  %d of %d processes run  %s%n",
                    cluster.name(),
                    cluster.bootstrap(),
                    cluster.kafka(),
                    cluster.running(),
                    cluster.processes(),
                    cluster.client());
        }
    }
}
