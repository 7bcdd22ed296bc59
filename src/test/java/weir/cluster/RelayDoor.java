package weir.cluster;

import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.Node;

/** The port of a test's relay, and the port of the broker behind it. */
public record RelayDoor(int port, int target) {
    public static RelayDoor of(EmbeddedCluster cluster, int broker) {
        Node node = cluster.node(broker);
        return new RelayDoor(node.relayPort(), node.port(Node.RELAYED));
    }
}
