package weir.cli;

import java.nio.file.Path;
import java.util.List;
import weir.plan.ClusterSpec;
import weir.plan.Overrides;
import weir.plan.PlanReader;

/** The cluster that a command line means without an experiment file. */
final class Bare {
    private static final String SMALLEST = "name: none\nload: { rate: 1/s }\nmeasure: 1s\n";

    private Bare() {}

    static ClusterSpec cluster(Connection connection) {
        return read(new Overrides(
                List.of(), connection.client(), connection.bootstrap(), connection.commandConfig(), List.of(), false));
    }

    static ClusterSpec cluster(List<String> set) {
        return read(new Overrides(set, List.of(), "", "", List.of(), false));
    }

    private static ClusterSpec read(Overrides overrides) {
        return PlanReader.read(Path.of("cluster"), SMALLEST, overrides)
                .variants()
                .get(0)
                .cluster();
    }
}
