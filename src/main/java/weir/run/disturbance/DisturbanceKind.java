package weir.run.disturbance;

import java.util.List;
import weir.feature.Feature;
import weir.host.MachineResources;
import weir.plan.DisturbanceSpec;
import weir.plan.Variant;

/** A kind of disturbance by processes of its own: its record in the plan, the needs of its machine, and its begin. */
public interface DisturbanceKind extends Feature.Part {
    Class<? extends DisturbanceSpec> asked();

    /** The reasons why a machine on which it is placed cannot do it, each with a remedy. */
    default List<String> missing(DisturbanceSpec asked, MachineResources machine, Variant variant) {
        return List.of();
    }

    /** Prepares it on one host of its placement; an empty name is this machine. */
    Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial);
}
