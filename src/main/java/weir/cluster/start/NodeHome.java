package weir.cluster.start;

import java.nio.file.Path;
import weir.plan.ClusterSpec;

/**
 * The addresses and the data folder of a machine that runs nodes.
 *
 * @param place the name of the host; empty for this machine
 * @param address the address for clients
 * @param inner the address for other nodes
 * @param data the cluster's folder, which contains a folder for each node
 */
record NodeHome(String place, String address, String inner, Path data) {
    static NodeHome here(String address, Path data) {
        return new NodeHome("", address, ClusterSpec.LOOPBACK, data);
    }
}
