package weir.cli.cluster;

import picocli.CommandLine;
import weir.cluster.start.NamedCluster;

/** The part of {@code weir cluster start} that belongs to one ability; its fields are picocli options. */
public interface ClusterExtension {
    /** Returns what starts processes beside the cluster, after it has checked the options. */
    NamedCluster.Companion companion(CommandLine command);
}
