package weir.cluster.start;

import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.IntSupplier;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.cluster.Progress;
import weir.host.Children;
import weir.host.Ports;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;

/**
 * The choices in starting a cluster that its plan leaves open.
 *
 * @param ports free ones; others are asked for when one turns out to be taken
 * @param relayed true where nodes have listeners before which relays stand
 * @param relays puts them there, before the nodes start
 * @param places where the nodes run
 * @param disks true where each broker has a disk image of its own, which can be made worse
 */
public record StartOptions(
        IntSupplier ports,
        boolean relayed,
        Function<EmbeddedCluster, Relaying> relays,
        NodePlace.Choice places,
        boolean disks) {
    /** The relays before a cluster. */
    public interface Relaying extends Impairment {
        /** Makes the network of a broker worse. */
        Impairment impair(DisturbanceSpec.Network asked);
    }

    public static StartOptions plain() {
        return new StartOptions(
                new Ports(),
                false,
                cluster -> {
                    throw new AssertionError("no relays stand before " + cluster.bootstrap());
                },
                NodePlace.Choice.HERE,
                false);
    }

    public StartOptions on(IntSupplier others) {
        return new StartOptions(others, relayed, relays, places, disks);
    }

    public StartOptions relayed(Function<EmbeddedCluster, Relaying> put) {
        return new StartOptions(ports, true, put, places, disks);
    }

    public StartOptions disks(boolean own) {
        return new StartOptions(ports, relayed, relays, places, own);
    }

    public StartOptions at(NodePlace.Choice given) {
        return new StartOptions(ports, relayed, relays, given, disks);
    }

    /** Starts a cluster, or connects to it when it is there already. */
    public Cluster open(ClusterSpec spec, Children children, Path logs, Progress progress) {
        return spec instanceof ClusterSpec.Embedded embedded
                ? EmbeddedCluster.start(embedded, children, logs, this, progress)
                : ExternalCluster.connect(spec);
    }
}
