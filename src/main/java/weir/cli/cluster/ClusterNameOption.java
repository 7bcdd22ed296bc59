package weir.cli.cluster;

import picocli.CommandLine.Option;
import weir.cluster.start.NamedCluster;

/** The option that tells clusters started by hand apart, and how one is told. */
final class ClusterNameOption {
    @Option(names = "--name", paramLabel = "NAME", description = "Name of the cluster; kafka unless given.")
    private String name = "kafka";

    String name() {
        return name;
    }

    static Shown shown(NamedCluster cluster) {
        return new Shown(
                cluster.name(),
                cluster.bootstrap(),
                cluster.version(),
                cluster.running(),
                cluster.processes().size(),
                cluster.client().toString(),
                cluster.logs().toString());
    }

    /** A cluster started by hand, as its users see it. */
    record Shown(String name, String bootstrap, String kafka, int running, int processes, String client, String logs) {}
}
