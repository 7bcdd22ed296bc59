package weir.cluster.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeSetting;
import weir.cluster.broker.BrokerMain;
import weir.cluster.release.KafkaVersion;
import weir.cluster.start.Node.NodeHome;
import weir.host.Host;
import weir.io.Io;
import weir.plan.ClusterSpec;

/** The nodes of an embedded cluster and the properties of each. */
record NodeLayout(
        String clusterId, ClusterSpec spec, KafkaVersion version, ClusterCredentials credentials, List<Node> nodes) {
    private static final int FIRST_CONTROLLER = 101;
    private static final int ZOOKEEPER = 201;
    private static final String WIRING = "connects the nodes of this cluster";
    private static final String CAPPED = "Kafka's default, capped at the number of brokers";
    private static final Set<String> OURS = Set.of(
            "advertised.listeners",
            "broker.id",
            "controller.listener.names",
            "controller.quorum.bootstrap.servers",
            "controller.quorum.voters",
            "inter.broker.listener.name",
            "listener.security.protocol.map",
            "listeners",
            "log.dir",
            "log.dirs",
            "metadata.log.dir",
            "node.id",
            "process.roles",
            "security.inter.broker.protocol",
            "zookeeper.connect");

    NodeLayout {
        nodes = List.copyOf(nodes);
    }

    static NodeLayout of(
            ClusterSpec spec,
            KafkaVersion version,
            ClusterCredentials credentials,
            IntSupplier ports,
            IntFunction<NodeHome> homes,
            RelayedListeners relayed,
            int spares) {
        check(spec, version);
        String listener = spec.security().name();
        boolean combined = spec.dedicatedControllers() == 0 && !version.zooKeeper();
        // Four voters survive one death, as three voters do. So with an even number of brokers, the last broker does
        // not vote.
        int voters = spec.brokers().size() - (spec.brokers().size() + 1) % 2;
        List<Node> nodes = new ArrayList<>();
        for (int id = 1; id <= spec.brokers().size() + spares; id++) {
            ClusterSpec.Broker own =
                    spec.brokers().get((id - 1) % spec.brokers().size());
            NodeHome home = homes.apply(id - 1);
            boolean votes = combined && id <= voters;
            SortedMap<String, Integer> listeners = new TreeMap<>(Map.of(listener, ports.getAsInt()));
            if (votes) {
                listeners.put(Node.CONTROLLER, ports.getAsInt());
            }
            SortedMap<String, Integer> relays = new TreeMap<>();
            if (relayed != RelayedListeners.NONE) {
                relay(Node.RELAYED, listeners, relays, ports);
            }
            if (relayed == RelayedListeners.ALL) {
                relay(Node.BROKERS, listeners, relays, ports);
            }
            SortedMap<String, String> asked = new TreeMap<>(spec.broker());
            asked.putAll(own.broker());
            Path disk = own.data().toString().isEmpty()
                    ? home.data()
                    : own.data().resolve(home.data().getFileName());
            Path data = disk.resolve("broker-" + id);
            nodes.add(new Node(id, true, votes, home, listeners, relays, own.rack(), data, asked));
        }
        for (int id = FIRST_CONTROLLER; id < FIRST_CONTROLLER + spec.dedicatedControllers(); id++) {
            NodeHome home = homes.apply(id - FIRST_CONTROLLER);
            SortedMap<String, Integer> listeners = new TreeMap<>(Map.of(Node.CONTROLLER, ports.getAsInt()));
            SortedMap<String, Integer> relays = new TreeMap<>();
            if (relayed == RelayedListeners.ALL) {
                relays.put(Node.CONTROLLER, ports.getAsInt());
            }
            Path data = home.data().resolve("controller-" + id);
            nodes.add(new Node(id, false, true, home, listeners, relays, "", data, spec.broker()));
        }
        if (version.zooKeeper()) {
            NodeHome home = homes.apply(0);
            SortedMap<String, Integer> listeners = new TreeMap<>(Map.of(Node.ZOOKEEPER, ports.getAsInt()));
            SortedMap<String, String> none = new TreeMap<>();
            Path data = home.data().resolve("zookeeper");
            nodes.add(new Node(ZOOKEEPER, false, false, home, listeners, new TreeMap<>(), "", data, none));
        }
        for (Node node : nodes) {
            ClusterSpec.split(node.data()).ifPresent(problem -> {
                throw new ClusterUnavailable("data of " + node.name() + ": " + problem);
            });
        }
        return new NodeLayout(Uuid.randomUuid().toString(), spec, version, credentials, nodes);
    }

    private static void relay(
            String listener,
            SortedMap<String, Integer> listeners,
            SortedMap<String, Integer> relays,
            IntSupplier ports) {
        listeners.put(listener, ports.getAsInt());
        relays.put(listener, ports.getAsInt());
    }

    private static void check(ClusterSpec spec, KafkaVersion version) {
        int brokers = spec.brokers().size();
        if (brokers < 1 || brokers > 5) {
            throw new ClusterUnavailable(
                    "cluster.brokers: must be between 1 and 5 on one machine, found '" + brokers + "'");
        }
        if (!Set.of(0, 1, 3).contains(spec.dedicatedControllers())) {
            throw new ClusterUnavailable(
                    "cluster.controllers: must be combined, 1 or 3, found '" + spec.dedicatedControllers() + "'");
        }
        if (version.zooKeeper() && spec.dedicatedControllers() > 0) {
            throw new ClusterUnavailable(
                    "cluster.controllers: Kafka " + version + " keeps its metadata in ZooKeeper; remove this key");
        }
        if (version.zooKeeper() && !spec.features().isEmpty()) {
            throw new ClusterUnavailable("cluster.features: Kafka " + version + " has no features; remove this key");
        }
        for (ClusterSpec.Broker own : spec.brokers()) {
            SortedMap<String, String> asked = new TreeMap<>(spec.broker());
            asked.putAll(own.broker());
            asked.keySet().stream().filter(OURS::contains).findFirst().ifPresent(name -> {
                throw new ClusterUnavailable("cluster.broker." + name + ": is set by Weir; remove this property, or"
                        + " start the cluster yourself and write its addresses in cluster.bootstrap");
            });
        }
    }

    /** The same cluster with the properties of another release. */
    NodeLayout at(KafkaVersion other) {
        return new NodeLayout(clusterId, spec, other, credentials, nodes);
    }

    boolean formatted() {
        return !version.zooKeeper();
    }

    /** The brokers of the plan, without spares. */
    List<Node> brokers() {
        return nodes.stream().filter(node -> node.broker() && !spare(node)).toList();
    }

    /** True for a broker that starts only if an operation adds it. */
    boolean spare(Node node) {
        return node.broker() && node.id() > spec.brokers().size();
    }

    String bootstrap() {
        return brokers().stream()
                .map(node -> node.address(spec.security().name()))
                .collect(Collectors.joining(","));
    }

    SortedMap<String, String> properties(Node node) {
        SortedMap<String, String> properties = new TreeMap<>();
        settings(node).forEach(setting -> properties.put(setting.name(), setting.value()));
        properties.putAll(node.asked());
        return properties;
    }

    List<NodeSetting> settings(Node node) {
        List<NodeSetting> settings = new ArrayList<>();
        if (node.zooKeeper()) {
            add(settings, node, WIRING, zooKeeper(node));
            return settings;
        }
        add(settings, node, WIRING, wiring(node));
        add(settings, node, CAPPED, capped());
        SortedSet<String> listeners = new TreeSet<>(node.ports().keySet());
        if (!version.zooKeeper()) {
            // A node without the controller role connects to the controllers.
            listeners.add(Node.CONTROLLER);
        }
        add(settings, node, "security: " + spec.security(), credentials.node(List.copyOf(listeners)));
        if (!node.rack().isEmpty()) {
            add(settings, node, "set by cluster.brokers", Map.of("broker.rack", node.rack()));
        }
        settings.removeIf(setting -> node.asked().containsKey(setting.name()));
        return settings;
    }

    List<String> format(Path properties) {
        List<String> format = new ArrayList<>(List.of("format", "-t", clusterId, "-c", properties.toString()));
        spec.features().forEach((name, level) -> format.addAll(List.of("--feature", name + "=" + level)));
        format.addAll(credentials.format());
        return format;
    }

    private static SortedMap<String, String> zooKeeper(Node node) {
        return new TreeMap<>(Map.of(
                "dataDir", node.data().toString(),
                "clientPort", Integer.toString(node.port(Node.ZOOKEEPER)),
                "clientPortAddress", node.home().inner(),
                "maxClientCnxns", "0",
                "admin.enableServer", "false"));
    }

    private SortedMap<String, String> metadata(Node node) {
        SortedMap<String, String> metadata = new TreeMap<>();
        nodes.stream().filter(Node::zooKeeper).findFirst().ifPresent(keeper -> {
            metadata.put("broker.id", Integer.toString(node.id()));
            metadata.put("zookeeper.connect", keeper.address(Node.ZOOKEEPER));
        });
        if (metadata.isEmpty()) {
            metadata.put("node.id", Integer.toString(node.id()));
            metadata.put("process.roles", node.roles());
            metadata.put("controller.listener.names", Node.CONTROLLER);
            metadata.put(
                    "controller.quorum.voters",
                    nodes.stream()
                            .filter(Node::controller)
                            .map(voter -> voter.id() + "@"
                                    + (node.broker()
                                            ? voter.advertised(Node.CONTROLLER)
                                            : voter.address(Node.CONTROLLER)))
                            .collect(Collectors.joining(",")));
        }
        return metadata;
    }

    private SortedMap<String, String> wiring(Node node) {
        String clients = spec.security().name();
        SortedMap<String, String> wiring = metadata(node);
        String direct = clients + ":" + clients;
        StringBuilder protocols = new StringBuilder(direct);
        if (!version.zooKeeper()) {
            protocols.insert(0, Node.CONTROLLER + ":" + clients + ",");
        }
        List<String> relayed = Stream.of(Node.RELAYED, Node.BROKERS)
                .filter(listener -> node.ports().containsKey(listener))
                .toList();
        relayed.forEach(
                listener -> protocols.append(",").append(listener).append(":").append(clients));
        wiring.put("listener.security.protocol.map", protocols.toString());
        wiring.put(
                "listeners",
                node.ports().keySet().stream()
                        .map(listener -> listener + "://" + node.address(listener))
                        .collect(Collectors.joining(",")));
        if (node.broker()) {
            List<String> advertised = new ArrayList<>(List.of(clients + "://" + node.address(clients)));
            relayed.forEach(listener -> advertised.add(listener + "://" + node.advertised(listener)));
            wiring.put("advertised.listeners", String.join(",", advertised));
            wiring.put("inter.broker.listener.name", relayed.contains(Node.BROKERS) ? Node.BROKERS : clients);
        } else if (node.relayPorts().containsKey(Node.CONTROLLER) && version.since(3, 9)) {
            // From that version on brokers ask the controllers for their addresses.
            wiring.put("advertised.listeners", Node.CONTROLLER + "://" + node.advertised(Node.CONTROLLER));
        }
        wiring.put("log.dirs", node.data().toString());
        return wiring;
    }

    private SortedMap<String, String> capped() {
        int brokers = spec.brokers().size();
        SortedMap<String, String> capped = new TreeMap<>();
        List<String> topics = new ArrayList<>(List.of("offsets.topic", "transaction.state.log"));
        if (version.since(4, 0)) {
            topics.add("share.coordinator.state.topic");
        }
        for (String topic : topics) {
            if (brokers < 3) {
                capped.put(topic + ".replication.factor", Integer.toString(brokers));
            }
            if (brokers < 2 && !topic.equals("offsets.topic")) {
                capped.put(topic + ".min.isr", "1");
            }
        }
        return capped;
    }

    private static void add(List<NodeSetting> settings, Node node, String reason, Map<String, String> properties) {
        properties.forEach((name, value) -> settings.add(new NodeSetting(node.name(), name, value, reason)));
    }

    /**
     * The files of a cluster's nodes on one machine, in a folder that only its owner may read.
     *
     * @param secrets the folder of the cluster's keys on this machine
     * @param folder the folder on {@code host}; equal to {@code secrets} if the host is this machine
     */
    record NodeFiles(Host host, Path secrets, Path folder) {
        private static final String BROKER_MAIN = "kafka.Kafka";
        private static final String ZOOKEEPER_MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

        void write(ClusterCredentials credentials, KafkaVersion version) throws IOException {
            String name = String.valueOf(logging(version).getFileName());
            host.write(
                    logging(version), Io.resource("/weir/cluster/start/" + name).getBytes(StandardCharsets.UTF_8));
            host.folder(temporary());
            if (!folder.equals(secrets)) {
                for (Path file : credentials.files()) {
                    host.write(folder.resolve(file.getFileName()), Files.readAllBytes(file));
                }
            }
        }

        void write(Node node, NodeLayout layout) throws IOException {
            Properties properties = new Properties();
            layout.properties(node).forEach((name, value) -> properties.put(name, pathOnHost(value)));
            Path file = properties(node);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            properties.store(out, null);
            host.write(file, out.toByteArray());
            host.write(format(node), (String.join("\n", layout.format(file)) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        private String pathOnHost(String value) {
            return value.startsWith(secrets + "/")
                    ? folder + value.substring(secrets.toString().length())
                    : value;
        }

        Path logging(KafkaVersion version) {
            return folder.resolve(version.major() < 4 ? "log4j.properties" : "log4j2.properties");
        }

        Path temporary() {
            return folder.resolve("temporary");
        }

        List<String> arguments(Node node, boolean format) {
            List<String> arguments = new ArrayList<>();
            if (host.tied()) {
                arguments.add(BrokerMain.WATCHING);
            }
            arguments.add(node.zooKeeper() ? ZOOKEEPER_MAIN : BROKER_MAIN);
            arguments.add(properties(node).toString());
            if (format) {
                arguments.add(format(node).toString());
            }
            return arguments;
        }

        private Path properties(Node node) {
            return folder.resolve(node.name() + ".properties");
        }

        private Path format(Node node) {
            return folder.resolve(node.name() + ".format");
        }
    }

    /** The connections of an embedded cluster that go through relays. */
    enum RelayedListeners {
        NONE,
        CLIENTS,
        /** All connections: of clients, between brokers, and from brokers to controllers. */
        ALL
    }
}
