package weir.cluster.start;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One process of a cluster that Weir starts: a broker, a controller, both, or the ZooKeeper of an old release.
 *
 * @param home the machine of the process, and its addresses
 * @param ports the ports by listener name
 * @param relayPorts the ports of the relays by listener name
 */
public record Node(
        int id,
        boolean broker,
        boolean controller,
        NodeHome home,
        SortedMap<String, Integer> ports,
        SortedMap<String, Integer> relayPorts,
        String rack,
        Path data,
        SortedMap<String, String> asked) {
    public static final String CONTROLLER = "CONTROLLER";
    static final String ZOOKEEPER = "ZOOKEEPER";
    public static final String RELAYED = "RELAYED";
    public static final String BROKERS = "BROKERS";

    private static final Set<String> OURS = Set.of(CONTROLLER, ZOOKEEPER, RELAYED, BROKERS);

    public Node {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
        relayPorts = Collections.unmodifiableSortedMap(new TreeMap<>(relayPorts));
        asked = Collections.unmodifiableSortedMap(new TreeMap<>(asked));
    }

    String name() {
        return zooKeeper() ? "zookeeper" : (broker ? "broker-" : "controller-") + id;
    }

    boolean zooKeeper() {
        return ports.containsKey(ZOOKEEPER);
    }

    String roles() {
        return String.join(
                ",",
                broker && controller ? List.of("broker", "controller") : List.of(broker ? "broker" : "controller"));
    }

    String address(String listener) {
        return host(listener) + ":" + port(listener);
    }

    private String host(String listener) {
        return OURS.contains(listener) ? home.inner() : home.address();
    }

    String advertised(String listener) {
        return relayHost(listener) + ":" + relayPorts.getOrDefault(listener, port(listener));
    }

    public String relayHost(String listener) {
        return listener.equals(RELAYED) ? home.address() : host(listener);
    }

    public int relayPort() {
        return relayPorts.getOrDefault(RELAYED, 0);
    }

    List<InetSocketAddress> listeners() {
        return ports.entrySet().stream()
                .map(listener -> new InetSocketAddress(host(listener.getKey()), listener.getValue()))
                .toList();
    }

    public int port(String listener) {
        Integer port = ports.get(listener);
        if (port == null) {
            throw new IllegalArgumentException(name() + " has no listener " + listener);
        }
        return port;
    }

    /**
     * The addresses and the data folder of a machine that runs nodes.
     *
     * @param place the name of the host; empty for this machine
     * @param address the address for clients
     * @param inner the address for other nodes
     * @param data the cluster's folder, which contains a folder for each node
     */
    record NodeHome(String place, String address, String inner, Path data) {}
}
