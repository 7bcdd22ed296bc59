package weir.cluster.start;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import weir.host.Ports;

/**
 * The choices in starting a cluster that its plan leaves open.
 *
 * @param ports free ones; others are asked for when one turns out to be taken
 * @param relays puts relays before the listeners that are {@code relayed}, instead of those of an attempt before
 * @param places where the nodes run
 * @param disks true where each broker has a disk image of its own
 */
record StartOptions(
        IntSupplier ports,
        RelayedListeners relayed,
        Consumer<EmbeddedCluster> relays,
        NodePlace.Choice places,
        boolean disks) {
    static StartOptions plain() {
        return new StartOptions(new Ports(), RelayedListeners.NONE, cluster -> {}, NodePlace.Choice.HERE, false);
    }

    StartOptions on(IntSupplier others) {
        return new StartOptions(others, relayed, relays, places, disks);
    }

    StartOptions relayed(RelayedListeners listeners, Consumer<EmbeddedCluster> put) {
        return new StartOptions(ports, listeners, put, places, disks);
    }

    StartOptions disks(boolean own) {
        return new StartOptions(ports, relayed, relays, places, own);
    }

    StartOptions at(NodePlace.Choice given) {
        return new StartOptions(ports, relayed, relays, given, disks);
    }
}
