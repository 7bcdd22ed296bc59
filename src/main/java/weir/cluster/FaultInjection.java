package weir.cluster;

import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;

/**
 * The parts of an embedded cluster that can degrade its brokers. If one variant needs a part, all variants get the part
 * and its cost.
 *
 * @param relays true for a relay in front of each broker, for network faults
 * @param disks true for a disk image for each broker, for disk faults
 */
public record FaultInjection(boolean relays, boolean disks) {
    public static final FaultInjection NONE = new FaultInjection(false, false);

    public static FaultInjection of(Experiment experiment) {
        return new FaultInjection(
                any(experiment, DisturbanceSpec.Network.class), any(experiment, DisturbanceSpec.Disk.class));
    }

    private static boolean any(Experiment experiment, Class<? extends DisturbanceSpec> kind) {
        return experiment.variants().stream()
                .flatMap(variant -> variant.during().values().stream())
                .anyMatch(kind::isInstance);
    }
}
