package weir.cli;

import java.nio.file.Path;
import java.util.List;
import weir.plan.ClusterSpec;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** The cluster that a command line means without an experiment file. */
public final class CommandLineCluster {
    private static final String SMALLEST = "name: none\nload: { rate: 1/s }\nmeasure: 1s\n";

    private CommandLineCluster() {}

    public static ClusterSpec cluster(ConnectionOptions connection) {
        return read(new Overrides(
                List.of(), connection.client(), connection.bootstrap(), connection.commandConfig(), List.of(), false));
    }

    public static ClusterSpec cluster(List<String> set) {
        return read(new Overrides(set, List.of(), "", "", List.of(), false));
    }

    private static ClusterSpec read(Overrides overrides) {
        return PlanReader.read(Path.of("cluster"), SMALLEST, overrides)
                .variants()
                .get(0)
                .cluster();
    }
}
