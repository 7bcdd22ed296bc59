package weir.cluster;

import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.Node;

/** Where a relay of a test's own stands before a broker, and where it leads. */
public record RelayDoor(int port, int target) {
    public static RelayDoor of(EmbeddedCluster cluster, int broker) {
        Node node = cluster.node(broker);
        return new RelayDoor(node.relayPort(), node.port(Node.RELAYED));
    }
}
