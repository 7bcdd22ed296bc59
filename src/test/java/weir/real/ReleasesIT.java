package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.cluster.Cluster;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.measure.Steps;
import weir.plan.TopicSpec;
import weir.probe.Probes;
import weir.probe.Reading;
import weir.probe.Sampler;

/** Kafkas of several releases: they start, take what both engines send, and are looked at. */
@Timeout(180)
class ReleasesIT {
    private static final String LOAD = """
            topics: { a: { partitions: 2 }, b: { partitions: 1 } }
            load: { workload: deliver, rate: max, value: { size: 500B }, producer: { %s }, consumer: { %s } }
            warmup: none
            measure: { operations: 2000 }
            """;

    private final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();

    @TempDir
    static Path folder;

    private static Journal journal;
    private static Children children;

    @BeforeAll
    static void open() {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterAll
    static void close() {
        children.close();
        journal.close();
    }

    private static EmbeddedCluster start(Kafkas asked) {
        return EmbeddedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {});
    }

    /** {@code -Dweir.releases=3.6.2,4.0.0} tries others. */
    static List<String> releases() {
        return List.of(System.getProperty("weir.releases", "3.3.2,3.9.2,4.3.1").split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void eachReleaseTakesTheRecordsOfBothEnginesAndTellsAllWeAsk(String release) throws Exception {
        try (EmbeddedCluster cluster = start(Kafkas.of(release, 1));
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal)) {
            topics.create(Map.of("orders", topic(1, 1, 1)));
            Log.write(cluster, "orders", 3);
            assertThat(topics.offsets(topics.partitions("orders"))).containsValue(new TrialTopics.Offsets(0, 3, 3));
            assertThat(ExternalCluster.connect(cluster.bootstrap(), new TreeMap<>())
                            .version())
                    .isEqualTo(release.substring(0, release.lastIndexOf('.')));
            assertDelivers(cluster, Carrier.WIRE, "compression.type: lz4", "");
            assertDelivers(cluster, Carrier.WIRE, "acks: 1", "isolation.level: read_committed");
            assertDelivers(cluster, Carrier.WIRE, "acks: 0", "");
            assertProbed(cluster);
        }
    }

    /** A broker tells all that is asked of it, and its death is noticed. */
    private void assertProbed(EmbeddedCluster cluster) throws Exception {
        try (Sampler sampler = Sampler.start(System.nanoTime(), readings::add)) {
            sampler.watch("broker-1", Probes.broker(cluster.brokers().get(0).pid()));
            Set<String> seen = until("request.queue");
            Log.write(cluster, "probed", 20);
            seen.addAll(until("request.produce.response.send.mean.ms"));
            assertThat(seen)
                    .contains(
                            "cpu.cores",
                            "memory.rss.mib",
                            "gc.pause.ms",
                            "safepoint.longest.ms",
                            "heap.used.mib",
                            "handlers.idle.percent",
                            "network.idle.percent",
                            "messages.in.per.s",
                            "partitions.under.replicated",
                            "isr.shrinks",
                            "request.produce.total.p99.ms");
            assertThat(sampler.absences())
                    .allSatisfy(absence -> assertThat(absence.metric()).startsWith("cgroup"));
            cluster.kill(1);
            while (sampler.absences().stream()
                    .noneMatch(absence -> absence.metric().equals("*"))) {
                Thread.onSpinWait();
            }
            assertThat(sampler.absences())
                    .anySatisfy(absence -> assertThat(absence.why()).endsWith("has ended"));
        }
    }

    /** The metrics read until that one was. */
    private Set<String> until(String metric) throws InterruptedException {
        Set<String> seen = new HashSet<>();
        while (!seen.contains(metric)) {
            Reading reading = readings.poll(30, TimeUnit.SECONDS);
            assertThat(reading)
                    .as("no more readings, and '%s' was not among them", metric)
                    .isNotNull();
            seen.add(reading.metric());
        }
        return seen;
    }

    private static TopicSpec topic(int partitions, int replication, int count) {
        return new TopicSpec(partitions, replication, count, false, new TreeMap<>(Map.of("segment.bytes", "2097152")));
    }

    /** Every record arrives, whatever the codec and with and without idempotence. */
    private static void assertDelivers(Cluster cluster, Carried.Engines engines, String producer, String consumer)
            throws Exception {
        Carried carried =
                Carried.load(cluster, folder, engines, LOAD.formatted(producer, consumer), load -> {}, topics -> {});
        EngineContract.assertWhole(carried.ledger.balance(Steps.MEASURE), 2_000);
    }
}
