package weir.cli.cluster;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.cluster.start.NamedCluster;
import weir.host.ProcessId;

/** The option that tells clusters started by hand apart, and how one is told. */
final class ClusterNameOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    private String name = "kafka";

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the cluster; kafka unless given.")
    void name(String given) {
        NamedCluster.wrongName(given).ifPresent(wrong -> {
            throw new ParameterException(spec.commandLine(), "--name: " + wrong);
        });
        name = given;
    }

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
                metrics(cluster),
                cluster.client().toString(),
                cluster.logs().toString());
    }

    private static String metrics(NamedCluster cluster) {
        if (cluster.companions().isEmpty()) {
            return "none";
        }
        return cluster.companions().stream().allMatch(ProcessId::alive) ? "served" : "ended";
    }

    /**
     * A cluster started by hand, as its users see it.
     *
     * @param metrics "served" by a process of their own, "ended" when that has, "none" where nobody asked for them
     */
    record Shown(
            String name,
            String bootstrap,
            String kafka,
            int running,
            int processes,
            String metrics,
            String client,
            String logs) {}
}
