package weir.cluster.start;

import java.nio.file.Path;
import weir.plan.ClusterSpec;

/**
 * The addresses and the data folder of a machine that runs nodes.
 *
 * @param place the name of the host; empty for this machine
 * @param address the address at which clients reach its nodes
 * @param inner the address at which the nodes of the cluster reach them
 * @param data the cluster's folder on the machine, which contains a folder for each node
 */
record NodeHome(String place, String address, String inner, Path data) {
    static NodeHome here(String address, Path data) {
        return new NodeHome("", address, ClusterSpec.LOOPBACK, data);
    }
}
