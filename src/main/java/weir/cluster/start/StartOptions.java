package weir.cluster.start;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.cluster.Progress;
import weir.host.Children;
import weir.host.Host;
import weir.host.Ports;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;

/**
 * The options of a cluster's start that the plan does not contain.
 *
 * @param ports a source of free ports, called again if a port is in use
 * @param relayed true if nodes have listeners for relays
 * @param relays the starter of the relays, called before the nodes start
 * @param disks true if each broker has a disk image that Weir can degrade
 * @param releases other releases that nodes may run later; the start also fetches them
 * @param spares the number of brokers that are prepared and may start later
 */
public record StartOptions(
        IntSupplier ports,
        boolean relayed,
        Function<EmbeddedCluster, Relaying> relays,
        HostChoice hosts,
        boolean disks,
        Set<String> releases,
        int spares) {
    public interface HostChoice {
        HostChoice HERE = (number, here) -> here;

        /** The machine of a broker or a dedicated controller; both are counted from 0. */
        Host of(int number, Host here);
    }

    public interface Relaying extends Impairment {
        Impairment impair(DisturbanceSpec.Network asked);
    }

    public static StartOptions plain() {
        return new StartOptions(
                new Ports(),
                false,
                cluster -> {
                    throw new AssertionError("there are no relays for " + cluster.bootstrap());
                },
                HostChoice.HERE,
                false,
                Set.of(),
                0);
    }

    public StartOptions relayed(Function<EmbeddedCluster, Relaying> put) {
        return new StartOptions(ports, true, put, hosts, disks, releases, spares);
    }

    public StartOptions at(HostChoice given) {
        return new StartOptions(ports, relayed, relays, given, disks, releases, spares);
    }

    public Cluster open(ClusterSpec spec, Children children, Path logs, Progress progress) {
        return spec.startedByWeir()
                ? EmbeddedCluster.start(spec, children, logs, this, progress)
                : ExternalCluster.connect(spec);
    }
}
