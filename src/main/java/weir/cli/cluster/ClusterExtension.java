package weir.cli.cluster;

import picocli.CommandLine;
import weir.cluster.start.NamedCluster;
import weir.feature.Feature;

/** The part of {@code weir cluster start} that belongs to one ability; its fields are picocli options. */
public interface ClusterExtension extends Feature.Part {
    /** Returns what starts processes beside the cluster, after it has checked the options. */
    NamedCluster.Companion companion(CommandLine command);
}
