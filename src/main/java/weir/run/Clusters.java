package weir.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.EmbeddedCluster;
import weir.cluster.ExternalCluster;
import weir.cluster.NullCluster;
import weir.cluster.Progress;
import weir.host.Children;
import weir.plan.ClusterSpec;
import weir.plan.LoadSpec;
import weir.plan.Variant;

/** Gives each trial its cluster: a new one, or the one that is there. A sink costs nothing and stays beside it. */
final class Clusters implements AutoCloseable {
    private final Children children;
    private final Progress progress;
    private @Nullable Cluster current;
    private @Nullable ClusterSpec spec;
    private @Nullable NullCluster sink;

    Clusters(Children children, Progress progress) {
        this.children = children;
        this.progress = progress;
    }

    Cluster of(Variant variant, Path logs) {
        return variant.load().target() == LoadSpec.Target.NULL ? sink(logs) : of(variant.cluster(), logs);
    }

    /** The one sink of the run. */
    NullCluster sink(Path logs) {
        NullCluster there = sink;
        if (there == null) {
            there = NullCluster.start(children, logs);
            sink = there;
        }
        return there;
    }

    private Cluster of(ClusterSpec wanted, Path logs) {
        Cluster kept = current;
        if (kept != null && wanted.equals(spec) && !isFresh(wanted)) {
            return kept;
        }
        end();
        Cluster made = make(wanted, logs);
        current = made;
        spec = wanted;
        return made;
    }

    /** Whether it is there already, from an earlier trial. */
    boolean running(Variant variant) {
        ClusterSpec wanted = variant.cluster();
        // A sink is never cold: it has nothing to warm.
        return variant.load().target() == LoadSpec.Target.NULL
                || (current != null && wanted.equals(spec) && !isFresh(wanted));
    }

    /** Ends the cluster if its trial was to have it alone. */
    void release() {
        ClusterSpec held = spec;
        if (held != null && isFresh(held)) {
            end();
        }
    }

    private Cluster make(ClusterSpec wanted, Path logs) {
        if (wanted instanceof ClusterSpec.Embedded embedded) {
            return EmbeddedCluster.start(embedded, children, logs, progress);
        }
        if (wanted instanceof ClusterSpec.External external) {
            return ExternalCluster.connect(external);
        }
        throw new AssertionError(wanted);
    }

    private static boolean isFresh(ClusterSpec spec) {
        return spec instanceof ClusterSpec.Embedded embedded && embedded.fresh() == ClusterSpec.Fresh.TRIAL;
    }

    /** Ends the one that is up, if any. */
    private void end() {
        Cluster open = current;
        current = null;
        spec = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        end();
        NullCluster open = sink;
        sink = null;
        if (open != null) {
            open.close();
        }
    }
}
