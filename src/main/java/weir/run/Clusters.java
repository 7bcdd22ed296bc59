package weir.run;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.FaultInjection;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.RecordKeys;
import weir.plan.Variant;
import weir.run.lab.Lab;

/** A provider of each trial's cluster, new or already running. A sink runs in addition to a cluster. */
final class Clusters implements AutoCloseable {
    private final Lab lab;
    private final boolean shortened;
    private final FaultInjection faults;
    /** The hosts that must reach Weir's brokers in any variant. All variants have the same listeners. */
    private final Optional<PlacedSpec.Hosts> hosts;

    private @Nullable Cluster current;
    private @Nullable ClusterSpec spec;
    private @Nullable Cluster sink;

    Clusters(Lab lab, Experiment experiment) {
        this.lab = lab;
        this.shortened = experiment.shortened();
        this.faults = FaultInjection.of(experiment);
        this.hosts = experiment.variants().stream()
                .flatMap(variant -> variant.reachingBrokers().stream())
                .findFirst();
    }

    Cluster of(Variant variant, Path logs) {
        return variant.load().target() == LoadSpec.Target.NULL ? sink(logs) : of(variant.cluster(), logs);
    }

    Cluster sink(Path logs) {
        Cluster there = sink;
        if (there == null) {
            there = lab.sink(logs);
            sink = there;
        }
        return there;
    }

    private Cluster of(ClusterSpec asked, Path logs) {
        ClusterSpec wanted = listening(asked);
        Cluster kept = current;
        if (kept != null && wanted.equals(spec) && !wanted.freshEachTrial()) {
            return kept;
        }
        end();
        Cluster made = lab.cluster(shortened ? wanted.brief() : wanted, faults, logs);
        current = made;
        spec = wanted;
        return made;
    }

    private ClusterSpec listening(ClusterSpec asked) {
        return asked.placed().remote() || !asked.startedByWeir()
                ? asked
                : hosts.map(lab::address)
                        .map(address -> RecordKeys.with(asked, Map.of("address", address)))
                        .orElse(asked);
    }

    boolean running(Variant variant) {
        ClusterSpec wanted = listening(variant.cluster());
        // A sink needs no warm-up.
        return variant.load().target() == LoadSpec.Target.NULL
                || (current != null && wanted.equals(spec) && !wanted.freshEachTrial());
    }

    void release() {
        ClusterSpec known = spec;
        if (known != null && known.freshEachTrial()) {
            end();
        }
    }

    /** Ends the cluster, so that the next trial gets a new one. */
    void end() {
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
        Cluster open = sink;
        sink = null;
        if (open != null) {
            open.close();
        }
    }
}
