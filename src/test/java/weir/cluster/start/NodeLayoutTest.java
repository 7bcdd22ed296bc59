package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeSetting;
import weir.cluster.release.KafkaVersion;
import weir.cluster.start.Node.NodeHome;
import weir.cluster.start.NodeLayout.RelayedListeners;
import weir.host.JavaRuntime;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.ClusterSpec.Security;
import weir.plan.RecordKeys;

class NodeLayoutTest {
    private static final String WARNING = "[0.103s][warning][cds] Unable to use shared archive.";
    private static final String SETTINGS = "2026-11-20 11:19:41,003 INFO KafkaConfig values:";
    private static final String SETTING = "\tnum.io.threads = many";
    private static final String FAULT = "Exception in thread \"main\" java.lang.IllegalStateException: no";
    private static final String TRACE = "\tat kafka.Kafka.main(Kafka.java)";

    private static final Node BROKER = node(1, true);
    private static final Node CONTROLLER = node(101, false);

    @TempDir
    Path folder;

    private static NodeHome home(Path data) {
        return new NodeHome("", ClusterSpec.LOOPBACK, ClusterSpec.LOOPBACK, data);
    }

    private static Node node(int id, boolean broker) {
        SortedMap<String, Integer> ports = new TreeMap<>();
        return new Node(id, broker, true, home(Path.of("")), ports, ports, "", Path.of("data"), new TreeMap<>());
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "2, 0, 1", "3, 0, 3", "4, 0, 3", "5, 0, 5", "1, 1, 1", "5, 3, 3"})
    void anOddNumberOfNodesVotes(int brokers, int controllers, int voters) {
        NodeLayout layout = layout(brokers, Map.of("controllers", controllers));
        assertThat(layout.nodes()).filteredOn(Node::controller).hasSize(voters);
        assertThat(layout.nodes()).hasSize(brokers + controllers);
        assertThat(layout.brokers()).extracting(Node::id).startsWith(1).endsWith(brokers);
        assertThat(layout.properties(layout.nodes().get(0)))
                .hasEntrySatisfying(
                        "controller.quorum.voters",
                        quorum -> assertThat(quorum.split(",", -1)).hasSize(voters));
    }

    @Test
    void brokerFaultsWithDedicatedControllersTouchNoController() {
        NodeLayout layout = layout(2, Map.of("controllers", 1));
        assertThat(layout.nodes())
                .extracting(Node::name, Node::roles)
                .containsExactly(
                        tuple("broker-1", "broker"),
                        tuple("broker-2", "broker"),
                        tuple("controller-101", "controller"));
    }

    @Test
    void relayedNodesAdvertiseTheRelayExceptToControllers() {
        NodeLayout layout = layout("4.3.1", 2, Map.of("controllers", 1), RelayedListeners.ALL, 0);
        Node broker = layout.nodes().get(0);
        Node controller = layout.nodes().get(2);
        String relay = "127.0.0.1:" + controller.relayPorts().get(Node.CONTROLLER);
        assertThat(layout.properties(broker))
                .containsEntry("inter.broker.listener.name", "BROKERS")
                .containsEntry("controller.quorum.voters", "101@" + relay)
                .hasEntrySatisfying(
                        "advertised.listeners",
                        advertised -> assertThat(advertised.split(",", -1))
                                .containsExactly(
                                        "PLAINTEXT://" + broker.address("PLAINTEXT"),
                                        "RELAYED://127.0.0.1:" + broker.relayPort(),
                                        "BROKERS://127.0.0.1:"
                                                + broker.relayPorts().get(Node.BROKERS)));
        assertThat(layout.properties(controller))
                .containsEntry("controller.quorum.voters", "101@" + controller.address(Node.CONTROLLER))
                .containsEntry("advertised.listeners", "CONTROLLER://" + relay);
    }

    @Test
    void controllersBeforeRelease39HaveNoAdvertisedListeners() {
        NodeLayout layout = layout("3.8.1", 1, Map.of("controllers", 1), RelayedListeners.ALL, 0);
        assertThat(layout.properties(layout.nodes().get(1))).doesNotContainKey("advertised.listeners");
    }

    @Test
    void replicationDefaultsAreLoweredOnlyForFewBrokers() {
        NodeLayout three = layout(3, Map.of());
        assertThat(three.properties(three.nodes().get(0)).keySet())
                .containsExactlyInAnyOrder(("advertised.listeners controller.listener.names controller.quorum.voters "
                                + "inter.broker.listener.name listener.security.protocol.map listeners log.dirs node.id "
                                + "process.roles")
                        .split(" ", -1));
        NodeLayout two = layout(2, Map.of());
        assertThat(two.properties(two.nodes().get(0)))
                .containsEntry("offsets.topic.replication.factor", "2")
                .containsEntry("transaction.state.log.replication.factor", "2")
                .containsEntry("share.coordinator.state.topic.replication.factor", "2")
                .doesNotContainKey("transaction.state.log.min.isr");
        NodeLayout one = layout(1, Map.of());
        assertThat(one.properties(one.nodes().get(0))).containsEntry("transaction.state.log.min.isr", "1");
    }

    @Test
    void userPropertyOverridesDefaultAndIsNotListedAsSetByWeir() {
        NodeLayout layout = layout(1, Map.of("broker", new TreeMap<>(Map.of("offsets.topic.replication.factor", "3"))));
        Node node = layout.nodes().get(0);
        assertThat(layout.properties(node)).containsEntry("offsets.topic.replication.factor", "3");
        assertThat(layout.settings(node))
                .extracting(NodeSetting::name)
                .doesNotContain("offsets.topic.replication.factor");
    }

    @Test
    void propertiesThatWireTheClusterCannotBeAsked() {
        assertThatThrownBy(() -> layout(1, Map.of("broker", new TreeMap<>(Map.of("log.dirs", "/data")))))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageStartingWith("cluster.broker.log.dirs: is set by Weir");
    }

    @Test
    void sixBrokersAreTooManyForOneMachine() {
        assertThatThrownBy(() -> layout(6, Map.of()))
                .hasMessage("cluster.brokers: must be between 1 and 5 on one machine, found '6'");
    }

    @Test
    void formatToolGetsPasswordsOnlyForScramUsers() {
        SortedMap<String, Integer> two = new TreeMap<>(Map.of("transaction.version", 2));
        assertThat(layout(1, Map.of("features", two)).format(Path.of("x")))
                .doesNotContain("--add-scram")
                .contains("--feature", "transaction.version=2");
        assertThat(layout(1, Map.of("security", Security.SASL_SSL)).format(Path.of("x")))
                .contains("--add-scram");
    }

    @Test
    void brokersOfOldReleasesFindTheirZooKeeper() {
        NodeLayout layout = layout("2.7.2", 2, Map.of());
        assertThat(layout.nodes()).extracting(Node::name).containsExactly("broker-1", "broker-2", "zookeeper");
        assertThat(layout.brokers()).hasSize(2);
        assertThat(layout.formatted()).isFalse();
        SortedMap<String, String> keeper = layout.properties(layout.nodes().get(2));
        assertThat(keeper).containsEntry("clientPortAddress", "127.0.0.1").containsEntry("admin.enableServer", "false");
        assertThat(layout.properties(layout.nodes().get(0)))
                .containsEntry("broker.id", "1")
                .containsEntry("zookeeper.connect", "127.0.0.1:" + keeper.get("clientPort"))
                .containsEntry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT")
                .doesNotContainKeys("process.roles", "node.id", "controller.quorum.voters");
    }

    @Test
    void oldReleasesHaveNeitherControllersNorFeatures() {
        assertThatThrownBy(() -> layout("2.8.2", 1, Map.of("controllers", 1)))
                .hasMessageContaining("cluster.controllers: Kafka 2.8.2 keeps its metadata in ZooKeeper");
        assertThatThrownBy(() ->
                        layout("2.8.2", 1, Map.of("features", new TreeMap<>(Map.of("transaction.version", 1)))))
                .hasMessage("cluster.features: Kafka 2.8.2 has no features; remove this key");
    }

    @Test
    void spareBrokersDoNotVoteAndAreNoBootstrapServers() {
        NodeLayout layout = layout("4.4.0", 2, Map.of(), RelayedListeners.CLIENTS, 2);
        List<Node> spares = layout.nodes().stream().filter(layout::spare).toList();
        assertThat(spares)
                .extracting(Node::name, Node::roles)
                .containsExactly(tuple("broker-3", "broker"), tuple("broker-4", "broker"));
        assertThat(spares).allMatch(spare -> spare.relayPort() > 0);
        assertThat(layout.brokers()).extracting(Node::id).containsExactly(1, 2);
        assertThat(layout.bootstrap().split(",", -1)).hasSize(2);
        assertThat(layout.properties(spares.get(0)))
                .containsEntry(
                        "controller.quorum.voters", "1@" + layout.nodes().get(0).address(Node.CONTROLLER))
                .containsEntry("offsets.topic.replication.factor", "2");
    }

    /** A cluster that listens without encryption and has no own broker properties, unless {@code keys} say otherwise. */
    private NodeLayout layout(
            String kafka, int brokers, Map<String, Object> keys, RelayedListeners relayed, int spares) {
        Map<String, Object> all = new TreeMap<>(Map.of(
                "security",
                Security.PLAINTEXT,
                "heap",
                new ByteSize(1 << 30),
                "features",
                new TreeMap<String, Integer>()));
        all.putAll(keys);
        ClusterSpec spec = RecordKeys.with(ClusterSpec.started(kafka, brokers), all);
        KafkaVersion version = KafkaVersion.of(kafka);
        ClusterCredentials credentials =
                ClusterCredentials.make(spec.security(), version, folder, Set.of(ClusterSpec.LOOPBACK));
        return NodeLayout.of(
                spec,
                version,
                credentials,
                new AtomicInteger(20_000)::incrementAndGet,
                number -> home(folder.resolve("data")),
                relayed,
                spares);
    }

    private NodeLayout layout(String kafka, int brokers, Map<String, Object> keys) {
        return layout(kafka, brokers, keys, RelayedListeners.NONE, 0);
    }

    private NodeLayout layout(int brokers, Map<String, Object> keys) {
        return layout("4.3.1", brokers, keys);
    }

    @Test
    void brokerFailureReportsErrorsAndNoSettings() {
        assertThat(BrokerProcess.explaining(List.of(WARNING, SETTINGS, SETTING, FAULT, TRACE)))
                .containsExactly(FAULT, TRACE);
        assertThat(BrokerProcess.explaining(
                        List.of(SETTINGS, SETTING, "2026-11-20 11:19:41,004 ERROR it broke", TRACE)))
                .containsExactly("2026-11-20 11:19:41,004 ERROR it broke", TRACE);
    }

    @Test
    void brokerFailureIsReportedDespiteALongShutdownLog() {
        String fatal = "2026-11-20 11:19:41,004 ERROR Fatal error during startup. Prepare to shutdown (kafka.Server)";
        String cause = "org.apache.kafka.common.KafkaException: Socket server failed to bind to 127.0.0.1:9092";
        String below = "Caused by: java.net.BindException: Address already in use";
        List<String> log = new ArrayList<>(List.of(SETTINGS, fatal, cause));
        log.addAll(Collections.nCopies(40, TRACE));
        log.add(below);
        for (int i = 0; i < 40; i++) {
            log.add("2026-11-20 11:19:42,000 WARN closing part " + i);
            log.add("2026-11-20 11:19:42,000 ERROR part " + i + " is not open");
        }
        assertThat(BrokerProcess.explaining(log))
                .startsWith(fatal, cause, TRACE, TRACE, below)
                .hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void brokerFailureWithoutErrorsReportsItsWarnings() {
        String warning = "2026-11-20 11:19:41,004 WARN the disk is slow";
        assertThat(BrokerProcess.explaining(List.of(WARNING, SETTINGS, warning, SETTING)))
                .containsExactly(WARNING, warning, SETTING);
    }

    @Test
    void brokerFailureWithoutWarningsReportsItsLastLines() {
        assertThat(BrokerProcess.explaining(List.of(SETTINGS, SETTING))).containsExactly(SETTINGS, SETTING);
    }

    @Test
    void theHeapIsFixedAndTouchedAndTheCollectorIsKafkasOwn() {
        assertThat(flags(BROKER, List.of()))
                .contains("-Xms1073741824", "-Xmx1073741824", "-XX:+AlwaysPreTouch")
                .contains("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35");
    }

    @Test
    void aCollectorThatIsAskedForReplacesKafkas() {
        assertThat(flags(BROKER, List.of("-XX:+UseZGC")))
                .contains("-XX:+UseZGC")
                .doesNotContain("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20");
    }

    @Test
    void userJvmFlagsComeLast() {
        assertThat(flags(BROKER, List.of("-Xmx2g"))).endsWith("-Xmx2g");
    }

    @Test
    void dedicatedControllerHasASmallHeap() {
        assertThat(flags(CONTROLLER, List.of())).contains("-Xmx268435456");
    }

    private static List<String> flags(Node node, List<String> asked) {
        return new BrokerJvm(JavaRuntime.own(), "jar", "Exit", Path.of("classes.jsa"), asked)
                        .flags(node, 1L << 30, Path.of("log4j2.properties"), Path.of("crash.log"), Path.of("temporary"))
                        .stream()
                        .map(NodeSetting::value)
                        .toList();
    }
}
