package weir.cli.cluster;

import picocli.CommandLine;
import weir.cluster.start.NamedCluster;
import weir.feature.Feature;

/** The part of a feature in {@code weir cluster start}; its fields are picocli options. */
public interface ClusterExtension extends Feature.Part {
    /** Checks the options, and returns a starter of additional processes for the cluster. */
    NamedCluster.Companion companion(CommandLine command);
}
