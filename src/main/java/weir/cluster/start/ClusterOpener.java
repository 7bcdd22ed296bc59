package weir.cluster.start;

import java.nio.file.Path;
import weir.cluster.Cluster;
import weir.cluster.Progress;
import weir.host.Children;
import weir.plan.ClusterSpec;

/** The way from a plan to a cluster that is up; all that follows asks the {@link Cluster} itself. */
public final class ClusterOpener {
    private ClusterOpener() {}

    /**
     * Starts it, or connects to it when it is there already.
     *
     * @param disks whether the disks of brokers started here can be made worse
     */
    public static Cluster open(ClusterSpec spec, boolean disks, Children children, Path logs, Progress progress) {
        if (spec instanceof ClusterSpec.Embedded embedded) {
            return disks
                    ? EmbeddedCluster.startWithDisks(embedded, children, logs, progress)
                    : EmbeddedCluster.start(embedded, children, logs, progress);
        }
        return connect(spec);
    }

    /** Starts it, or connects to it when it is there already; what is started runs at these places. */
    public static Cluster open(
            ClusterSpec spec, NodePlace.Choice places, Children children, Path logs, Progress progress) {
        return spec instanceof ClusterSpec.Embedded embedded
                ? EmbeddedCluster.start(embedded, children, logs, places, progress)
                : connect(spec);
    }

    /** The one that is there already. */
    public static Cluster connect(ClusterSpec spec) {
        return ExternalCluster.connect(spec);
    }

    /** The null target. */
    public static Cluster sink(Children children, Path logs) {
        return NullCluster.start(children, logs);
    }
}
