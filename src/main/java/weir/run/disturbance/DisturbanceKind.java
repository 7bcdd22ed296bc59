package weir.run.disturbance;

import java.util.List;
import weir.cluster.Cluster;
import weir.feature.Feature;
import weir.host.MachineResources;
import weir.plan.DisturbanceSpec;
import weir.plan.Variant;

/** A kind of disturbance that a feature adds. */
public interface DisturbanceKind extends Feature.Part {
    Class<? extends DisturbanceSpec> asked();

    /** The reasons why a machine cannot run the disturbance, each with a remedy. */
    default List<String> missing(DisturbanceSpec asked, MachineResources machine, Variant variant) {
        return List.of();
    }

    /** The reasons why a cluster that Weir did not start cannot have the disturbance, each with a remedy. */
    default List<String> refused(DisturbanceSpec asked, Variant variant, Cluster cluster) {
        return List.of();
    }

    /**
     * Prepares the disturbance on one of its hosts; an empty {@code host} is this machine. Called at the disturbance's
     * time, or before the warm-up for {@link DisturbanceSpec.Prepared}.
     */
    Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial);
}
