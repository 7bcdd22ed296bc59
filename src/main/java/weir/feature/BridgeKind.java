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

    /** Returns regular expressions for the names of processes that an outage can stop: {@code gateway [0-9]+}. */
    List<String> servers();

    /**
     * Returns one message for each reason why a machine cannot run the processes of the bridge.
     *
     * @param host name of the machine; empty for this machine
     */
    default List<String> missing(BridgeSpec asked, String host, MachineResources machine) {
        return List.of();
    }

    /** Returns the reasons why a variant cannot use its bridge, by the path of the key. Starts no process. */
    default Map<String, String> refused(Variant variant) {
        return Map.of();
    }

    /** Returns the reasons why Weir cannot use a server of the user, by the path of the server's key. */
    default Map<String, String> unreachable(Variant variant) {
        return Map.of();
    }

    /**
     * Starts the processes of a trial. Returns once all of them accept connections. The receiver may start later.
     *
     * @param sites machines by host name; the empty name stands for this machine
     */
    Bridge start(BridgeStart trial, Function<String, ServerSite> sites);
}
