package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Broker;
import weir.cluster.NodeDeath;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.StartOptions;
import weir.host.LocalChild;
import weir.host.ProcessAction;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.ClusterSpec;
import weir.plan.RecordKeys;
import weir.probe.WatchedProcess;
import weir.real.Kafkas;
import weir.real.Log;
import weir.time.MachineClock;

/** Brokers on other hosts, which are agents here: the cluster works like a local one and leaves nothing. */
@Timeout(180)
class RemoteBrokersIT {
    private static final String NEWEST = "4.4.0";

    @TempDir
    Path folder;

    private Agents agents;

    @BeforeEach
    void open() {
        agents = new Agents(folder);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        agents.close();
        assertThat(agents.left()).isEmpty();
    }

    private EmbeddedCluster started(Kafkas asked, List<RemoteHost> hosts) {
        return EmbeddedCluster.start(
                asked.spec(),
                agents.children(),
                folder.resolve("logs"),
                RecordKeys.with(
                        StartOptions.plain().at((number, here) -> hosts.get(number % hosts.size())),
                        Map.of("spares", 1)),
                what -> {});
    }

    private static Broker broker(EmbeddedCluster cluster, int id) {
        return cluster.brokers().get(id - 1);
    }

    private static void lookedAt(RemoteHost host, Broker broker) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        LoadListener listener = new LoadListener() {
            @Override
            public void window(Snapshot snapshot) {}

            @Override
            public void reading(Reading reading) {
                if (reading.source().equals("broker-2") && reading.metric().equals("request.queue")) {
                    told.countDown();
                }
            }
        };
        WatchedProcess watched =
                new WatchedProcess(WatchedProcess.Kind.BROKER, "broker-2", "b", broker.pid(), broker.data());
        Runnable looking = host.sample(System.nanoTime(), List.of(watched), listener);
        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
        looking.run();
    }

    private static boolean runs(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    @Tag("long")
    void brokersOnTwoHostsAreDisturbedAndCleanedUp() throws Exception {
        LocalChild first = agents.start("a");
        LocalChild second = agents.start("b");
        List<RemoteHost> hosts = List.of(agents.await("a"), agents.await("b"));
        List<Path> data;
        try (EmbeddedCluster cluster = started(Kafkas.of(NEWEST, 2).security(ClusterSpec.Security.SASL_SSL), hosts)) {
            BlockingQueue<NodeDeath> deaths = new ArrayBlockingQueue<>(8);
            cluster.onDeath(deaths::add);
            assertThat(cluster.brokers()).extracting(Broker::host).containsExactly("a", "b");
            assertThat(cluster.data()).isEmpty();
            data = cluster.brokers().stream().map(Broker::data).toList();
            assertThat(data).allSatisfy(one -> assertThat(one).isNotEmptyDirectory());
            assertThat(broker(cluster, 2).log()).content().contains("node.id = 2");
            try (TrialTopics topics = TrialTopics.on(cluster, name -> name, agents.journal())) {
                topics.create(Map.of("t", Kafkas.topic(1, 2, 1)));
                Log.write(cluster, "t", 5);
                assertThat(topics.appended()).isEqualTo(5);
            }

            lookedAt(hosts.get(1), broker(cluster, 2));

            cluster.act(ProcessAction.PAUSE, 2);
            cluster.act(ProcessAction.RESUME, 2);
            cluster.act(ProcessAction.STOP, 2);
            assertThat(broker(cluster, 2).pid()).isEqualTo(-1);
            cluster.restart(2);
            Log.write(cluster, "t", 5);
            cluster.restart(3);
            assertThat(cluster.brokers()).extracting(Broker::host).containsExactly("a", "b", "a");
            Log.write(cluster, "t", 5);
            assertThat(deaths).isEmpty();

            ProcessHandle.of(broker(cluster, 2).pid()).orElseThrow().destroyForcibly();
            NodeDeath death = deaths.poll(10, TimeUnit.SECONDS);
            assertThat(death).isNotNull();
            assertThat(death.message()).startsWith("broker 2 (Kafka 4.4.0) was killed (signal 9");
        }
        assertThat(data).allSatisfy(one -> assertThat(one).doesNotExist());
        agents.end();
        assertThat(first.endsWithin(Duration.ofSeconds(10))).isTrue();
        assertThat(second.endsWithin(Duration.ofSeconds(10))).isTrue();
        assertThat(agents.left("a")).isEmpty();
        assertThat(agents.left("b")).isEmpty();
    }

    @Test
    @Tag("long")
    void killedAgentEndsItsBrokersAndTheNextAgentCleansUp() throws Exception {
        LocalChild agent = agents.start("a");
        EmbeddedCluster cluster = started(Kafkas.of(NEWEST, 1), List.of(agents.await("a")));
        BlockingQueue<NodeDeath> deaths = new ArrayBlockingQueue<>(8);
        cluster.onDeath(deaths::add);
        Broker broker = broker(cluster, 1);
        agent.kill();
        NodeDeath death = deaths.poll(10, TimeUnit.SECONDS);
        assertThat(death).isNotNull();
        assertThat(death.message()).contains("host 'a' is lost");
        cluster.close();
        assertThat(MachineClock.within(Duration.ofSeconds(10)).awaits(() -> !runs(broker.pid()), Duration.ofMillis(20)))
                .isTrue();
        agents.again("a");
        agents.await("a-again");
        assertThat(broker.data()).doesNotExist();
        assertThat(Files.exists(folder.resolve("logs/broker-1.log"))).isTrue();
    }
}
