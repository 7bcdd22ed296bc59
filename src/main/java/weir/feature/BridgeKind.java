package weir.feature;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import weir.host.MachineResources;
import weir.plan.BridgeSpec;
import weir.plan.Variant;
import weir.worker.Bridge;
import weir.worker.BridgeStart;
import weir.worker.ServerSite;

/** A kind of bridge, with its checks before a run and its processes in each trial. */
public interface BridgeKind extends Feature.Part {
    boolean makes(BridgeSpec asked);

    /** Returns regular expressions of the processes for an outage: {@code gateway [0-9]+}. */
    List<String> servers();

    /**
     * Returns the reasons why a machine cannot run the processes of the bridge.
     *
     * @param host the name of the machine; empty for this machine
     */
    default List<String> missing(BridgeSpec asked, String host, MachineResources machine) {
        return List.of();
    }

    /** Returns the reasons why a variant's bridge is unusable, by path; starts no process of a trial. */
    default Map<String, String> refused(Variant variant) {
        return Map.of();
    }

    /** Returns the reasons why an external server is unusable, by the path of its key. */
    default Map<String, String> unreachable(Variant variant) {
        return Map.of();
    }

    /**
     * Starts the processes of a trial, and waits until they accept connections. The receiver may come later.
     *
     * @param sites the machines by the names of hosts; this machine has an empty name
     */
    Bridge start(BridgeStart trial, Function<String, ServerSite> sites);
}
