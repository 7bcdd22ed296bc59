package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.StartOptions;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.RecordKeys;
import weir.plan.property.Property;

@Timeout(180)
class ClusterIT {
    private static final String NEWEST = "4.4.0";

    @TempDir
    Path folder;

    private Journal journal;
    private Children children;

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

    @Test
    void topicsAreCreatedDescribedAndDeleted() {
        Kafkas asked = Kafkas.of(NEWEST, 1).broker("num.io.threads", "5").broker("nmu.io.threads", "5");
        try (EmbeddedCluster cluster = start(asked.feature("transaction.version", 1));
                TrialTopics topics = TrialTopics.on(cluster, name -> "weir-" + name, journal)) {
            topics.create(Map.of("a", Kafkas.topic(2, 1, 1), "b", Kafkas.topic(1, 1, 3)));
            assertThat(topics.names("b")).containsExactly("weir-b-1", "weir-b-2", "weir-b-3");
            Log.write(cluster, "weir-b-2", 5);
            assertThat(topics.appended()).isEqualTo(5);
            assertThat(topics.underReplicated()).isEmpty();

            assertThat(topics.unknownBrokerProperties()).containsExactly("nmu.io.threads");
            assertThat(topics.properties(unknown -> {}))
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
                assertThatThrownBy(() -> second.create(Map.of("a", Kafkas.topic(1, 1, 1), "c", Kafkas.topic(1, 1, 1))))
                        .isInstanceOf(ClusterUnavailable.class)
                        .hasMessage("topic 'weir-a' already exists; write 'existing: true' to use the topic unchanged");
                second.delete();
            }
            topics.delete();
            topics.create(Map.of("c", Kafkas.topic(1, 1, 1)));
            assertThat(topics.names("c")).containsExactly("weir-c");
        }
    }

    @Test
    void failedBrokerStartReportsItsReason() {
        assertThatThrownBy(() -> start(Kafkas.of(NEWEST, 1).broker("num.io.threads", "many")))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageContaining("broker 1 (Kafka 4.4.0) ended with exit code 1 after")
                .hasMessageContaining("; its last lines:")
                .hasMessageContaining("Invalid value many for configuration num.io.threads");
    }

    @Test
    @Tag("long")
    void aTakenPortIsExchangedForAnother() throws Exception {
        List<Integer> free = List.of(freePort(), freePort(), freePort());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IntSupplier each = List.of(taken.getLocalPort(), free.get(0), free.get(1), free.get(2))
                    .iterator()::next;
            try (EmbeddedCluster cluster = EmbeddedCluster.start(
                    Kafkas.of(NEWEST, 1).spec(),
                    children,
                    folder.resolve("logs"),
                    RecordKeys.with(StartOptions.plain(), Map.of("ports", each)),
                    what -> {})) {
                assertThat(cluster.bootstrap()).isEqualTo("127.0.0.1:" + free.get(1));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private EmbeddedCluster start(Kafkas asked) {
        return EmbeddedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {});
    }

    private static List<ProcessHandle> brokersBelow(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(folder.toString()))
                .toList();
    }
}
