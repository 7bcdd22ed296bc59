package weir.cluster.start;

import java.nio.file.Path;
import weir.plan.ClusterSpec;

/**
 * The machine of a node, as others see it.
 *
 * @param place the name of the host; empty for this machine
 * @param address at which clients reach its nodes
 * @param inner at which the nodes of the cluster reach them
 * @param data the folder of the cluster there, below which each node has its own
 */
record NodeHome(String place, String address, String inner, Path data) {
    static NodeHome here(String address, Path data) {
        return new NodeHome("", address, ClusterSpec.LOOPBACK, data);
    }
}
