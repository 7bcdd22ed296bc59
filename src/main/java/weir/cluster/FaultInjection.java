package weir.cluster;

import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;

/**
 * The parts of an embedded cluster that can degrade its brokers. All variants of an experiment have what one of them
 * needs, so that its cost cancels out.
 *
 * @param relays before all brokers, for worse networks
 * @param disks an image under the data of each broker, for worse disks
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
