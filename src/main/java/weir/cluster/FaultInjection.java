package weir.cluster;

import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;

/**
 * The parts of an embedded cluster that can degrade its brokers. If one variant of an experiment needs a part, every
 * variant gets it, so that its cost is the same in all.
 *
 * @param relays true for relays in front of all brokers, which can degrade their networks
 * @param disks true for a disk image for the data of each broker, which can be degraded
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
