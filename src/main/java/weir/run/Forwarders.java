package weir.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.plan.property.Property;

/** The search for a process or rule between the clients and the brokers: a virtual address, a mapped port, a proxy. */
final class Forwarders {
    private static final int CONNECT_MILLIS = 1_000;

    private Forwarders() {}

    static List<String> of(Cluster cluster, List<Property> properties) {
        if (!cluster.loadProperties().equals(cluster.clientProperties())) {
            return List.of(
                    "Weir's own relays are between clients and brokers in all variants, because a disturbance slows the"
                            + " network");
        }
        List<String> found = forwarded(properties);
        if (found.isEmpty()) {
            found = shared(cluster.brokers());
        }
        if (found.isEmpty()) {
            found = bootstrap(cluster.bootstrap(), cluster.brokers(), Forwarders::answers);
        }
        return found;
    }

    static List<String> forwarded(List<Property> properties) {
        List<String> found = new ArrayList<>();
        Map<String, String> advertised = effective(properties, "advertised.listeners");
        effective(properties, "listeners").forEach((broker, listeners) -> {
            Map<String, String> reached = ports(advertised.getOrDefault(broker, ""));
            ports(listeners).forEach((listener, port) -> {
                String there = reached.getOrDefault(listener, port);
                if (!there.equals(port)) {
                    found.add(broker + " listens on port " + port + ", but clients connect to port " + there);
                }
            });
        });
        return found;
    }

    private static Map<String, String> effective(List<Property> properties, String name) {
        return properties.stream()
                .filter(property ->
                        property.of().startsWith("broker") && property.name().equals(name))
                .collect(Collectors.toMap(Property::of, Property::effective, (a, b) -> a, TreeMap::new));
    }

    private static Map<String, String> ports(String listeners) {
        Map<String, String> ports = new TreeMap<>();
        Arrays.stream(listeners.split(",", -1))
                .map(String::strip)
                .filter(listener -> listener.matches("[^:]+://.*:[1-9]\\d*"))
                .forEach(listener -> ports.put(
                        listener.substring(0, listener.indexOf("://")),
                        listener.substring(listener.lastIndexOf(':') + 1)));
        return ports;
    }

    static List<String> shared(List<Broker> brokers) {
        Set<String> addresses = new HashSet<>();
        return brokers.stream()
                .filter(broker -> !addresses.add(broker.address()))
                .map(broker ->
                        "broker " + broker.id() + " and another broker advertise the same address " + broker.address())
                .toList();
    }

    /** The bootstrap names with addresses of no broker. A proxy may serve only the first contact. */
    static List<String> bootstrap(String bootstrap, List<Broker> brokers, Predicate<String> answers) {
        Set<String> known = new HashSet<>();
        brokers.forEach(broker -> known.addAll(resolved(broker.address())));
        return Arrays.stream(bootstrap.split(",", -1))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .filter(address -> resolved(address).stream().noneMatch(known::contains))
                .filter(answers)
                .map(address -> "'" + address + "' answers, but is not an advertised address. Brokers advertise "
                        + brokers.stream().map(Broker::address).collect(Collectors.joining(", ")))
                .toList();
    }

    /** True if the address accepts connections. A broker that is down is no proxy. */
    static boolean answers(String address) {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getByName(address.substring(0, Math.max(0, colon)));
            socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), CONNECT_MILLIS);
            return true;
        } catch (IOException | IllegalArgumentException unreachable) {
            return false;
        }
    }

    private static Set<String> resolved(String address) {
        Set<String> all = new HashSet<>(Set.of(address));
        int colon = address.lastIndexOf(':');
        if (colon > 0) {
            try {
                for (InetAddress each : InetAddress.getAllByName(address.substring(0, colon))) {
                    all.add(each.getHostAddress() + address.substring(colon));
                }
            } catch (UnknownHostException unknown) {
                // Without an address, only the spelling of a name can be compared.
            }
        }
        return all;
    }
}
