package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeDeath;
import weir.cluster.admin.TopicPartitionLeader;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.cluster.start.NamedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.ProcessId;
import weir.plan.ClusterSpec.Security;
import weir.plan.TopicSpec;
import weir.plan.property.Property;

@Timeout(180)
class ClusterIT {
    private static final String NEWEST = "4.3.1";

    @TempDir
    Path folder;

    private Journal journal;
    private Children children;

    /** {@code -Dweir.releases=3.6.2,4.0.0} tries others. */
    static List<String> releases() {
        return List.of(System.getProperty("weir.releases", "2.7.2,3.3.2,3.9.2").split(",", -1));
    }

    @BeforeEach
    void open() {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        children.close();
        journal.close();
        try (var files = Files.walk(folder.resolve("state"))) {
            // Starts of one name exclude each other by a lock on an empty file, which stays.
            assertThat(files.filter(Files::isRegularFile).filter(file -> !file.endsWith("clusters/.lock")))
                    .isEmpty();
        }
        assertThat(brokersBelow(folder)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void otherReleasesTakeRecords(String release) {
        // Of several brokers that cannot be chosen one may not have heard of a new topic.
        try (EmbeddedCluster cluster = start(Kafkas.of(release, release.startsWith("2.") ? 3 : 1));
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal)) {
            topics.create(Map.of("orders", topic(1, 1, 1)));
            write(cluster, "orders", 3);
            assertThat(topics.offsets(topics.partitions("orders"))).containsValue(new TrialTopics.Offsets(0, 3, 3));
            assertThat(ExternalCluster.connect(cluster.bootstrap(), new TreeMap<>())
                            .version())
                    .isEqualTo(
                            release.startsWith("2.")
                                    ? "unknown, older than 3.3"
                                    : release.substring(0, release.lastIndexOf('.')));
            report(cluster);
        }
    }

    @Test
    void topicsAreMadeToldOfAndDeleted() {
        Kafkas asked = Kafkas.of(NEWEST, 1).broker("num.io.threads", "5").broker("nmu.io.threads", "5");
        try (EmbeddedCluster cluster = start(asked.feature("transaction.version", 1));
                TrialTopics topics = TrialTopics.on(cluster, name -> "weir-" + name, journal)) {
            report(cluster);
            topics.create(Map.of("a", topic(2, 1, 1), "b", topic(1, 1, 3)));
            assertThat(topics.names("b")).containsExactly("weir-b-1", "weir-b-2", "weir-b-3");
            assertThat(topics.partitions("a"))
                    .containsExactly(new TopicPartitionLeader("weir-a", 0), new TopicPartitionLeader("weir-a", 1));
            write(cluster, "weir-b-2", 5);
            assertThat(topics.offsets(topics.partitions("b")))
                    .containsEntry(new TopicPartitionLeader("weir-b-1", 0), new TrialTopics.Offsets(0, 0, 0))
                    .containsEntry(new TopicPartitionLeader("weir-b-2", 0), new TrialTopics.Offsets(0, 5, 5));
            assertThat(topics.diskBytes())
                    .hasEntrySatisfying(1, bytes -> assertThat(bytes).isPositive());
            assertThat(topics.underReplicated()).isEmpty();

            assertThat(topics.unknownBrokerProperties()).containsExactly("nmu.io.threads");
            assertThat(topics.properties())
                    .contains(new Property("broker 1", "num.io.threads", "5", "5", "8", Property.Source.YOURS))
                    .contains(new Property(
                            "topic a", "segment.bytes", "2097152", "2097152", "1073741824", Property.Source.YOURS))
                    .contains(new Property(
                            "broker 1",
                            "offsets.topic.replication.factor",
                            "1",
                            "1",
                            "3",
                            Property.Source.WEIR,
                            "Kafka's default, capped at the number of brokers"));
            assertThat(cluster.settings())
                    .anyMatch(setting -> setting.name().equals("offsets.topic.replication.factor")
                            && setting.reason().contains("capped"))
                    .anyMatch(setting -> setting.value().equals("-XX:MaxGCPauseMillis=20"))
                    .noneMatch(setting -> setting.name().equals("num.io.threads"));

            try (TrialTopics second = TrialTopics.on(cluster, name -> "weir-" + name, journal)) {
                assertThatThrownBy(() -> second.create(Map.of("a", topic(1, 1, 1), "c", topic(1, 1, 1))))
                        .isInstanceOf(ClusterUnavailable.class)
                        .hasMessage("topic 'weir-a' is there already; write 'existing: true' to use it as it is");
                second.delete();
            }
            topics.delete();
            topics.create(Map.of("c", topic(1, 1, 1)));
            assertThat(topics.offsets(topics.partitions("c"))).containsValue(new TrialTopics.Offsets(0, 0, 0));
        }
    }

    @Test
    void brokersAreKilledPausedStoppedAndRestarted() throws Exception {
        BlockingQueue<NodeDeath> deaths = new LinkedBlockingQueue<>();
        Kafkas soonMissed = Kafkas.of(NEWEST, 3)
                .broker("broker.session.timeout.ms", "3000")
                .broker("broker.heartbeat.interval.ms", "500");
        try (EmbeddedCluster cluster = start(soonMissed);
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal)) {
            report(cluster);
            cluster.onDeath(deaths::add);
            assertThat(cluster.brokers()).extracting(Broker::rack).containsExactly("rack-1", "rack-2", "rack-3");
            topics.create(Map.of("a", topic(3, 3, 1)));

            cluster.kill(2);
            assertThat(cluster.brokers().get(1).pid()).isEqualTo(-1);
            awaitUnderReplicated(topics, 3);
            write(cluster, "a", 1);
            cluster.restart(2);
            awaitUnderReplicated(topics, 0);

            cluster.pause(3);
            awaitUnderReplicated(topics, 3);
            cluster.resume(3);
            awaitUnderReplicated(topics, 0);

            cluster.stop(1);
            assertThat(Files.readString(cluster.brokers().get(0).log()))
                    .contains("Transition from SHUTTING_DOWN to SHUTDOWN");
            cluster.restart(1);
            awaitUnderReplicated(topics, 0);
            assertThat(deaths).as("all of these were asked for").isEmpty();

            ProcessHandle.of(cluster.brokers().get(2).pid()).orElseThrow().destroyForcibly();
            NodeDeath death = deaths.poll(30, TimeUnit.SECONDS);
            assertThat(death).isNotNull();
            assertThat(death.broker()).isEqualTo(3);
            assertThat(death.exitCode()).isEqualTo(128 + 9);
            assertThat(death.lastLines()).isNotEmpty();
        }
    }

    @Test
    void aControllerOfItsOwnOutlivesItsBrokers() {
        try (EmbeddedCluster cluster = start(Kafkas.of(NEWEST, 1).controllers(1))) {
            report(cluster);
            assertThat(cluster.brokers()).hasSize(1);
            cluster.kill(1);
            cluster.restart(1);
            write(cluster, "made-by-writing", 1);
        }
    }

    @Test
    void saslUsersReachTheirClusterAndStrangersDoNot() {
        try (EmbeddedCluster cluster = start(Kafkas.of(NEWEST, 1).security(Security.SASL_SSL))) {
            report(cluster);
            SortedMap<String, String> scram = cluster.clientProperties();
            SortedMap<String, String> plain = new TreeMap<>(scram);
            plain.put("sasl.mechanism", "PLAIN");
            plain.computeIfPresent(
                    "sasl.jaas.config", (name, login) -> login.replace("scram.ScramLogin", "plain.PlainLogin"));
            SortedMap<String, String> stranger = new TreeMap<>(scram);
            stranger.computeIfPresent(
                    "sasl.jaas.config", (name, login) -> login.replaceAll("password=\"\\w+\"", "password=\"guess\""));
            for (SortedMap<String, String> client : List.of(scram, plain)) {
                try (ExternalCluster reached = ExternalCluster.connect(cluster.bootstrap(), client);
                        TrialTopics topics = TrialTopics.on(reached, name -> "weir-x-" + name, journal)) {
                    assertThat(reached.id()).isEqualTo(cluster.id());
                    topics.create(Map.of("a", topic(1, 1, 1)));
                    write(reached, "weir-x-a", 2);
                    assertThat(topics.offsets(topics.partitions("a"))).containsValue(new TrialTopics.Offsets(0, 2, 2));
                    topics.delete();
                }
            }
            assertThatThrownBy(() -> ExternalCluster.connect(cluster.bootstrap(), stranger))
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("Authentication failed");
            assertThat(cluster.settings().toString()).doesNotContain("password=");
        }
    }

    @Test
    void tlsClientsReachTheirCluster() {
        try (EmbeddedCluster cluster = start(Kafkas.of(NEWEST, 1).security(Security.SSL));
                ExternalCluster reached = ExternalCluster.connect(cluster.bootstrap(), cluster.clientProperties())) {
            assertThat(reached.brokers()).hasSize(1);
            assertThat(reached.version()).isEqualTo("4.3");
            write(reached, "made-by-writing", 1);
        }
    }

    @Test
    void aClusterStartedByHandGoesOnUntilItIsStopped() {
        Path state = folder.resolve("state");
        Kafkas asked = Kafkas.of(NEWEST, 1);
        NamedCluster named = NamedCluster.start("mine", asked.spec(), state, journal, what -> {});
        try (ExternalCluster reached = ExternalCluster.connect(named.bootstrap(), new TreeMap<>())) {
            children.close();
            assertThat(Journal.leftovers(state)).isEmpty();
            assertThat(NamedCluster.list(state)).containsExactly(named);
            assertThat(named.running()).isOne();
            assertThat(named.client()).content().contains("bootstrap.servers");
            assertThatThrownBy(() -> NamedCluster.start("mine", asked.spec(), state, journal, what -> {}))
                    .hasMessageContaining("a cluster 'mine' runs already, at " + named.bootstrap());
            write(reached, "made-by-writing", 1);
        } finally {
            named.stop();
        }
        assertThat(named.running()).isZero();
        assertThat(NamedCluster.list(state)).isEmpty();
        assertThat(named.folders()).noneMatch(Files::exists);
    }

    @Test
    void aBrokerThatCannotStartTellsWhy() {
        assertThatThrownBy(() -> start(Kafkas.of(NEWEST, 1).broker("num.io.threads", "many")))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageContaining("broker 1 (Kafka 4.3.1) ended with exit code 1 after")
                .hasMessageContaining("; last lines of " + folder.resolve("logs/broker-1.log"))
                .hasMessageContaining("Invalid value many for configuration num.io.threads");
    }

    @Test
    void aTakenPortIsExchangedForAnother() throws Exception {
        List<Integer> free = List.of(freePort(), freePort(), freePort());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IntSupplier each = List.of(taken.getLocalPort(), free.get(0), free.get(1), free.get(2))
                    .iterator()::next;
            try (EmbeddedCluster cluster = EmbeddedCluster.start(
                    Kafkas.of(NEWEST, 1).spec(), children, folder.resolve("logs"), each, what -> {})) {
                assertThat(cluster.bootstrap()).isEqualTo("127.0.0.1:" + free.get(1));
            }
        }
    }

    @Test
    void aKilledParentLeavesNoBroker() throws Exception {
        Path state = folder.resolve("doomed");
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedCluster.class.getName(),
                        state.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ProcessId broker;
        try (var lines = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            broker = ProcessId.of(Long.parseLong(lines.readLine()));
            assertThat(broker.alive()).isTrue();
            parent.destroyForcibly().waitFor();
        }
        while (broker.alive()) {
            LockSupport.parkNanos(10_000_000);
        }
        List<Leftovers> left = Journal.leftovers(state);
        assertThat(left).hasSize(1);
        assertThat(left.get(0).running()).isEmpty();
        assertThat(left.get(0).folders()).hasSize(2).allMatch(Files::exists);
        Journal.clear(left.get(0));
        assertThat(left.get(0).folders()).noneMatch(Files::exists);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private EmbeddedCluster start(Kafkas asked) {
        return EmbeddedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {});
    }

    private static void report(EmbeddedCluster cluster) {
        System.out.println(
                "Kafka " + cluster.version() + ", " + cluster.brokers().size() + " brokers: ready after "
                        + cluster.readyAfter().toMillis() + " ms");
    }

    private static TopicSpec topic(int partitions, int replication, int count) {
        return new TopicSpec(partitions, replication, count, false, new TreeMap<>(Map.of("segment.bytes", "2097152")));
    }

    private static void write(Cluster cluster, String topic, int records) {
        Map<String, Object> client = new TreeMap<>(cluster.clientProperties());
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, 0, null, new byte[10]))
                        .get(30, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new AssertionError("writing to " + topic, e);
        }
    }

    private static void awaitUnderReplicated(TrialTopics topics, int partitions) {
        while (topics.underReplicated().size() != partitions) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static List<ProcessHandle> brokersBelow(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(folder.toString()))
                .toList();
    }
}
