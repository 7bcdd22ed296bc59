package weir.cluster;

import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;

/**
 * The parts of an embedded cluster that can degrade its brokers. Every variant of an experiment gets the parts that any
 * variant needs, so that their cost cancels out.
 *
 * @param relays true for relays before all brokers, which degrade networks
 * @param disks true for an image under the data of each broker, which degrades disks
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
