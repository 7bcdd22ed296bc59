package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.feature.Features;
import weir.feature.NeedsFeature;
import weir.feature.command.CommandFeature;
import weir.feature.stress.Stressor;
import weir.feature.stress.Stressor.StressSpec;
import weir.host.Child;
import weir.host.Command;
import weir.host.LocalChild;
import weir.host.ProcessAction;
import weir.host.ProcessId;
import weir.measure.DisturbanceReadings;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.probe.WatchedProcess;
import weir.real.Kafkas;
import weir.time.MachineClock;
import weir.worker.Bridge;
import weir.worker.BridgeDeath;
import weir.worker.BridgeStart;

/** Gateways, a balancer, a stress and a command on other hosts, which are agents on this machine here. */
@Timeout(180)
class RemoteBridgeIT {
    private static final Duration LIMIT = Duration.ofHours(1);

    @TempDir
    Path folder;

    private Agents agents;

    /** The reported sources and metrics. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private final LoadListener listener = new LoadListener() {
        @Override
        public void window(Snapshot snapshot) {}

        @Override
        public void reading(Reading reading) {
            told.add(reading.source() + " " + reading.metric());
        }
    };

    @BeforeEach
    void open() {
        agents = new Agents(folder);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        agents.close();
        assertThat(agents.left()).isEmpty();
    }

    private void awaitTold(String... readings) {
        assertThat(MachineClock.within(Duration.ofSeconds(20))
                        .awaits(() -> told.containsAll(List.of(readings)), Duration.ofMillis(50)))
                .as("%s", told)
                .isTrue();
    }

    private static int post(String url, String topic, String value) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/topics/" + topic))
                .POST(HttpRequest.BodyPublishers.ofString(value))
                .timeout(Duration.ofSeconds(30))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    @Tag("long")
    @NeedsFeature("http")
    void gatewaysOnTwoHostsWriteThroughABalancerAndAreCleanedUp() throws Exception {
        LocalChild first = agents.start("a");
        LocalChild second = agents.start("b");
        Map<String, RemoteHost> hosts = Map.of("a", agents.await("a"), "b", agents.await("b"));
        Variant variant = Plans.only("""
                bridge: { gateway: { instances: 2 }, balancer: haproxy, placed: { hosts: [a, me@b] } }
                load: { engine: http }
                """);
        try (EmbeddedCluster cluster = EmbeddedCluster.start(
                        Kafkas.of("4.4.0", 1)
                                .security(ClusterSpec.Security.SASL_SSL)
                                .spec(),
                        agents.children(),
                        folder.resolve("logs"),
                        what -> {});
                TrialTopics topics = TrialTopics.on(cluster, name -> name, agents.journal())) {
            topics.create(Map.of("t", Kafkas.topic(1, 1, 1)));
            SortedMap<String, String> producer = cluster.clientProperties();
            Runnable looking = Objects.requireNonNull(hosts.get("a")).sample(System.nanoTime(), List.of(), listener);
            BridgeStart trial = new BridgeStart(
                    variant,
                    own -> producer,
                    topic -> topic,
                    "",
                    List.of(),
                    0,
                    ResolvedSecrets.NONE,
                    folder,
                    LoadListener.NONE);
            try (Bridge bridge = Features.bridge(variant.bridge())
                    .start(
                            trial,
                            name -> Objects.requireNonNull(hosts.get(name)).site(LIMIT))) {
                BlockingQueue<BridgeDeath> deaths = new ArrayBlockingQueue<>(8);
                bridge.onDeath(deaths::add);
                assertThat(bridge.processes())
                        .extracting(WatchedProcess::source, WatchedProcess::host)
                        .containsExactly(tuple("gateway-1", "a"), tuple("gateway-2", "b"), tuple("haproxy", "a"));
                for (int i = 0; i < 4; i++) {
                    assertThat(post(bridge.urls().get(0), "t", "v" + i)).isEqualTo(200);
                }
                assertThat(topics.appended()).isEqualTo(4);
                bridge.processes().stream()
                        .filter(process -> process.host().equals("a"))
                        .forEach(hosts.get("a")::watch);
                awaitTold("gateway-1 cpu.user.cores", "haproxy cpu.user.cores");

                bridge.act(ProcessAction.PAUSE, new DisturbanceSpec.Server("gateway", 2));
                bridge.act(ProcessAction.RESUME, new DisturbanceSpec.Server("gateway", 2));
                bridge.act(ProcessAction.RESTART, new DisturbanceSpec.Server("gateway", 2));
                assertThat(deaths).as("what was ordered is no death").isEmpty();

                second.kill();
                BridgeDeath death = deaths.poll(10, TimeUnit.SECONDS);
                assertThat(death).isNotNull();
                assertThat(death.server()).isEqualTo("gateway-2");
                assertThat(death.unseen()).isTrue();
                assertThat(death.lastLines()).anyMatch(line -> line.contains("host 'b' is lost"));
                looking.run();
            }
        }
        agents.end();
        assertThat(first.endsWithin(Duration.ofSeconds(10))).isTrue();
        assertThat(agents.left("a")).isEmpty();
    }

    @Test
    void hostRunsStressAndCommandUntilStopped() throws Exception {
        LocalChild agent = agents.start("a");
        RemoteHost host = agents.await("a");
        assertThat(host.resources().freeMemory()).isPositive();
        assertThat(host.resources().program("no-such-program").toString()).isEmpty();
        StressSpec asked = new StressSpec(
                Duration.ZERO,
                Duration.ofSeconds(30),
                new DisturbanceSpec.Amount.Bytes(new ByteSize(32 << 20)),
                new ByteSize(1 << 20),
                1,
                new ByteSize(0),
                Limits.NONE,
                new PlacedSpec.Here());
        assertThat(Stressor.missing(asked, host.resources(), Path.of(""))).isEmpty();
        Runnable looking = host.sample(System.nanoTime(), List.of(), listener);
        Stressor stressor = Stressor.start(
                host,
                "neighbour",
                Stressor.demand(asked, host.resources().freeMemory()),
                asked.length(),
                Path.of(""),
                folder.resolve("stress.log"));
        String source = DisturbanceReadings.ofStress("neighbour", "a");
        host.watch(new WatchedProcess(WatchedProcess.Kind.TREE, source, "a", stressor.pid()));
        awaitTold(source + " " + DisturbanceReadings.MEMORY, "host-a cpu.busy.percent");
        ProcessHandle stressing = ProcessHandle.of(stressor.pid()).orElseThrow();
        stressor.close();
        assertThat(stressing.isAlive()).isFalse();

        Path empty = host.newFolder("job");
        Path pid = empty.resolve("pid");
        CommandFeature.RunningCommand command = CommandFeature.RunningCommand.start(
                host,
                "job",
                List.of("sh", "-c", "sleep 300 & echo $! $BOOTSTRAP_SERVERS > told; mv told pid; wait"),
                empty,
                "10.0.0.1:9092",
                folder.resolve("job.log"));
        while (!Files.exists(pid)) {
            Thread.sleep(2);
        }
        String[] said = Files.readString(pid).strip().split(" ", -1);
        assertThat(said[1]).isEqualTo("10.0.0.1:9092");
        command.close();
        // Close signals the whole process group.
        while (ProcessId.of(Long.parseLong(said[0])).alive()) {
            Thread.sleep(2);
        }
        Child failing = host.start(new Command(
                "job",
                List.of("sh", "-c", "echo no luck; exit 3"),
                folder.resolve("failing.log"),
                Command.Output.LOGGED));
        assertThat(failing.exit().get(10, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(failing.lastLines(1)).containsExactly("no luck");
        looking.run();
        agents.end();
        assertThat(agent.endsWithin(Duration.ofSeconds(10))).isTrue();
        assertThat(agents.left("a")).isEmpty();
    }
}
