package weir.cli.cluster;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import weir.cli.FormatOption;
import weir.cli.terminal.JsonOutput;
import weir.cluster.start.NamedCluster;
import weir.host.Journal;

/** Tells which clusters were started by hand. */
@Command(name = "status", header = "List what was started by hand.")
final class ClusterStatusCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FormatOption format = new FormatOption();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<ClusterNameOption.Shown> clusters = NamedCluster.list(Journal.state()).stream()
                .map(ClusterNameOption::shown)
                .toList();
        if (format.json()) {
            JsonOutput.print(out, clusters);
            return;
        }
        if (clusters.isEmpty()) {
            spec.commandLine().getErr().println("none was started by hand; weir cluster start starts one");
        }
        for (ClusterNameOption.Shown cluster : clusters) {
            out.printf(
                    "%-12s %s  Kafka %s  %d of %d processes run%s  %s%n",
                    cluster.name(),
                    cluster.bootstrap(),
                    cluster.kafka(),
                    cluster.running(),
                    cluster.processes(),
                    cluster.metrics().equals("none") ? "" : ", metrics " + cluster.metrics(),
                    cluster.client());
        }
    }
}
