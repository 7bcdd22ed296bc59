package weir.cluster;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.Variant;

/**
 * The parts of an embedded cluster that can degrade its brokers. If one variant needs a part, all variants get the part
 * and its cost.
 *
 * @param relays true for a relay in front of each broker, for network faults
 * @param disks true for a disk image for each broker, for disk faults
 * @param releases the releases that operations install
 * @param spares the most brokers that the operations of a variant add
 */
public record FaultInjection(boolean relays, boolean disks, Set<String> releases, int spares) {
    public static final FaultInjection NONE = new FaultInjection(false, false, Set.of(), 0);

    public FaultInjection {
        releases = Set.copyOf(releases);
    }

    public static FaultInjection of(Experiment experiment) {
        return new FaultInjection(
                all(experiment, DisturbanceSpec.Network.class).findAny().isPresent(),
                all(experiment, DisturbanceSpec.Disk.class).findAny().isPresent(),
                all(experiment, DisturbanceSpec.Operation.class)
                        .map(DisturbanceSpec.Operation::release)
                        .filter(release -> !release.isEmpty())
                        .collect(Collectors.toSet()),
                experiment.variants().stream()
                        .mapToInt(Variant::addedBrokers)
                        .max()
                        .orElse(0));
    }

    private static <T extends DisturbanceSpec> Stream<T> all(Experiment experiment, Class<T> kind) {
        return experiment.variants().stream()
                .flatMap(variant -> variant.during().values().stream())
                .filter(kind::isInstance)
                .map(kind::cast);
    }
}
