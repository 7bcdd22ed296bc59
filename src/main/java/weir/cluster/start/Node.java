package weir.cluster.start;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One process of a cluster started here: a broker, a controller, both, or the ZooKeeper of an old release.
 *
 * @param ports of its listeners, by their names
 * @param relayPorts where relays stand before listeners, by their names
 * @param asked properties that the experiment gave it
 */
public record Node(
        int id,
        boolean broker,
        boolean controller,
        SortedMap<String, Integer> ports,
        SortedMap<String, Integer> relayPorts,
        String rack,
        Path data,
        SortedMap<String, String> asked) {
    public static final String CONTROLLER = "CONTROLLER";
    /** The name of the listener that clients of a ZooKeeper connect to. */
    static final String ZOOKEEPER = "ZOOKEEPER";
    /** The name of the listener whose clients are told that it is where a relay is. */
    public static final String RELAYED = "RELAYED";
    /** The name of the one that brokers use among themselves when relays stand before that, too. */
    public static final String BROKERS = "BROKERS";

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
        return "127.0.0.1:" + port(listener);
    }

    /** The address at which others are told that they reach a listener. */
    String advertised(String listener) {
        return "127.0.0.1:" + relayPorts.getOrDefault(listener, port(listener));
    }

    /** Where clients reach it through a relay. */
    public int relayPort() {
        return relayPorts.getOrDefault(RELAYED, 0);
    }

    public int port(String listener) {
        Integer port = ports.get(listener);
        if (port == null) {
            throw new IllegalArgumentException(name() + " has no listener " + listener);
        }
        return port;
    }
}
