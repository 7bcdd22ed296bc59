package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.admin.LeftoverResources;
import weir.cluster.start.EmbeddedCluster;
import weir.feature.maintenance.OperationResult.Part;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.host.ProcessAction;
import weir.plan.trial.Trial;
import weir.real.Kafkas;
import weir.real.OwnKafka;
import weir.results.RunResult;
import weir.results.value.Event;
import weir.run.AgreeingListener;
import weir.run.PreflightException;
import weir.run.RealRun;
import weir.run.RunListener;
import weir.time.DaemonThreads;

/** Operations and observations on a cluster that only its addresses are given of. */
@Tag("long")
@Timeout(240)
class MaintenanceObserveIT {
    private static final String THEIRS = "theirs";

    @TempDir
    static Path folder;

    private static OwnKafka kafka;
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        kafka = OwnKafka.start(folder, Kafkas.of("4.4.0", 3));
        cluster = kafka.cluster();
        try (Admin admin = admin()) {
            Map<Integer, List<Integer>> replicas = Map.of(0, List.of(3, 2), 1, List.of(1, 3), 2, List.of(3, 1));
            admin.createTopics(List.of(new NewTopic(THEIRS, replicas).configs(Map.of("retention.ms", "12345678"))))
                    .all()
                    .get();
        }
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    private static Admin admin() {
        return Admin.create(new HashMap<>(cluster.clientProperties()));
    }

    private static RunResult run(String rest, BiConsumer<Trial, Event> events) throws Exception {
        String plan = """
                cluster: { bootstrap: "%s" }
                topics: { t: { partitions: 4, replication: 2 } }
                load: { workload: produce, rate: 200/s, producer: { acks: all } }
                warmup: 1s
                measure: 5s
                verify: false
                %s
                """.formatted(cluster.bootstrap(), rest);
        RunListener listener = new AgreeingListener() {
            @Override
            public void event(Trial trial, Event event) {
                events.accept(trial, event);
            }
        };
        return RealRun.of(Files.createTempDirectory(folder, "e"), plan, listener);
    }

    /** The seconds in which a broker accepts no connection, found by one connection every 10 ms. */
    private static double absence(int broker) {
        String[] address =
                Objects.requireNonNull(cluster.addresses().get(broker)).split(":", -1);
        InetSocketAddress listener = new InetSocketAddress(address[0], Integer.parseInt(address[1]));
        long gone = 0;
        while (true) {
            long now = System.nanoTime();
            try (Socket socket = new Socket()) {
                socket.connect(listener, 200);
                if (gone > 0) {
                    return (now - gone) / 1e9;
                }
            } catch (IOException refused) {
                gone = gone > 0 ? gone : now;
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void restartByTheOperatorIsFoundFromOutside() throws Exception {
        CompletableFuture<Double> truth = new CompletableFuture<>();
        AtomicBoolean begun = new AtomicBoolean();
        RunResult run = run("during: { roll: { at: 1s, for: 75s, settle: 2s, observe: brokers } }", (trial, event) -> {
            if (event.name().equals(OperationMark.EVENT) && !begun.getAndSet(true)) {
                truth.completeAsync(() -> absence(2));
                DaemonThreads.of("operator", () -> {
                            cluster.act(ProcessAction.STOP, 2);
                            cluster.act(ProcessAction.RESTART, 2);
                        })
                        .start();
            }
        });
        OperationResult roll = run.models(OperationResult.class).get(0);
        assertThat(roll.parts())
                .extracting(Part::subject)
                .containsExactly("before", "cluster", "broker 2", "cluster", "after");
        Part away = roll.parts().get(2);
        assertThat(away.away()).isCloseTo(truth.join(), within(1.0));
        assertThat(away.sync()).isNotNegative();
        assertThat(roll.took()).isCloseTo(75, within(1.0));
        assertThat(run.caveats()).noneMatch(caveat -> caveat.type().equals("restart-unfinished"));
    }

    @Test
    void operationsChangeOnlyTopicsThatWeirCreated() throws Exception {
        Map<String, Object> before = theirs();
        Map<String, List<List<Integer>>> replicas = new ConcurrentSkipListMap<>();
        RunResult run = run("""
                during:
                  move: { at: 1s, settle: 1s, reassign: { topic: t, brokers: [2, 3], throttle: 50MB/s } }
                  shrink: { at: 8s, settle: 1s, drain: { broker: 3, throttle: 50MB/s } }
                  lead: { at: 15s, settle: 1s, elect: preferred }
                """, (trial, event) -> {
            if (event.name().equals(Event.DISTURBANCE_OVER)) {
                replicas.put(event.text(), ours());
            }
        });
        assertThat(run.models(OperationResult.class)).hasSize(3).allMatch(OperationResult::found);
        assertThat(replicas.get("move"))
                .hasSize(4)
                .allSatisfy(of -> assertThat(of).containsExactlyInAnyOrder(2, 3));
        assertThat(replicas.get("shrink"))
                .hasSize(4)
                .allSatisfy(of -> assertThat(of).containsExactlyInAnyOrder(1, 2));
        assertThat(theirs()).isEqualTo(before);
        try (Admin admin = admin()) {
            assertThat(admin.listTopics().names().get()).containsExactly(THEIRS);
        }
    }

    private static List<List<Integer>> ours() {
        try (Admin admin = admin()) {
            String name = admin.listTopics().names().get().stream()
                    .filter(topic -> topic.startsWith("weir-"))
                    .findFirst()
                    .orElseThrow();
            return replicas(described(admin, name));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static TopicDescription described(Admin admin, String topic) throws Exception {
        return Objects.requireNonNull(
                admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
    }

    private static List<List<Integer>> replicas(TopicDescription topic) {
        return topic.partitions().stream()
                .map(partition -> partition.replicas().stream().map(Node::id).toList())
                .toList();
    }

    /** The replica lists, leaders and settings of a topic of somebody else, and the settings of all brokers. */
    private static Map<String, Object> theirs() throws Exception {
        try (Admin admin = admin()) {
            TopicDescription topic = described(admin, THEIRS);
            List<ConfigResource> all = new ArrayList<>(IntStream.rangeClosed(1, 3)
                    .mapToObj(id -> new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id)))
                    .toList());
            all.add(new ConfigResource(ConfigResource.Type.TOPIC, THEIRS));
            return Map.of(
                    "replicas",
                    replicas(topic),
                    "leaders",
                    topic.partitions().stream()
                            .map(partition -> partition.leader().id())
                            .toList(),
                    "settings",
                    admin.describeConfigs(all).all().get().entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey,
                                    of -> of.getValue().entries().stream()
                                            .filter(entry -> !entry.isDefault())
                                            .map(entry -> entry.name() + ": " + entry.value())
                                            .sorted()
                                            .toList())));
        }
    }

    private static void throttle(Admin admin, AlterConfigOp.OpType change, Map<Integer, String> rates)
            throws Exception {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        rates.forEach((id, rate) -> changes.put(
                new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id)),
                List.of(new AlterConfigOp(new ConfigEntry("follower.replication.throttled.rate", rate), change))));
        admin.incrementalAlterConfigs(changes).all().get();
        String set =
                change == AlterConfigOp.OpType.SET ? rates.values().iterator().next() : "throttled";
        while (theirs().toString().contains(set) != (change == AlterConfigOp.OpType.SET)) {
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Test
    void throttleOfTheOperatorIsRefusedAndStays() throws Exception {
        try (Admin admin = admin()) {
            throttle(admin, AlterConfigOp.OpType.SET, Map.of(2, "7000000"));
            Map<String, Object> before = theirs();
            assertThatThrownBy(() -> run(
                            "during: { shrink: { at: 1s, drain: { broker: 3, throttle: 50MB/s } } }",
                            (trial, event) -> {}))
                    .isInstanceOf(PreflightException.class)
                    .hasMessageContaining("e.yaml:7:")
                    .hasMessageContaining("during.shrink: would change the throttle of somebody else: broker 2 has"
                            + " follower.replication.throttled.rate: 7000000");
            assertThat(theirs()).isEqualTo(before);
            throttle(admin, AlterConfigOp.OpType.DELETE, Map.of(2, ""));
        }
    }

    @Test
    void throttleOfAKilledRunIsRemovedUnlessItChanged() throws Exception {
        try (Admin admin = admin()) {
            Map<String, Object> before = theirs();
            throttle(admin, AlterConfigOp.OpType.SET, Map.of(1, "7000000"));
            throttle(admin, AlterConfigOp.OpType.SET, Map.of(2, "8000000"));
            List<Leftovers.Resource> left = IntStream.rangeClosed(1, 2)
                    .mapToObj(id -> new Leftovers.Resource(
                            ResourceType.THROTTLE, cluster.bootstrap(), "broker " + id + ": 7000000 B/s"))
                    .toList();
            assertThat(LeftoverResources.cleared(cluster, left)).isEqualTo(left);
            assertThat(theirs().toString())
                    .contains("follower.replication.throttled.rate: 8000000")
                    .doesNotContain("7000000");
            throttle(admin, AlterConfigOp.OpType.DELETE, Map.of(2, ""));
            assertThat(theirs()).isEqualTo(before);
        }
    }
}
