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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.KnownToWork;
import weir.cluster.Broker;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.host.ProcessAction;
import weir.measure.Reading;
import weir.probe.Probes;
import weir.probe.Sampler;

/** Kafkas of several releases: they start, accept the records of both engines, and answer the probes. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class ReleasesIT {
    private final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    /** {@code -Dweir.releases=3.6.2,4.0.0} tries others. */
    static List<String> releases() {
        return List.of(
                System.getProperty("weir.releases", "3.3.2,3.9.2,4.3.1,4.4.0").split(",", -1));
    }

    @Test
    @Tag("long")
    void oldestReleaseAcceptsBothEnginesAndAnswersAllRequests() throws Exception {
        assertTaken("2.7.2");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("releases")
    @KnownToWork("cluster: Kafka 3.3.2, 3.9.2, 4.3.1 and 4.4.0; client and wire")
    void eachReleaseTakesTheRecordsOfBothEnginesAndTellsAllWeAsk(String release) throws Exception {
        assertTaken(release);
    }

    private void assertTaken(String release) throws Exception {
        try (OwnKafka kafka = OwnKafka.start(folder, Kafkas.of(release, 1));
                TrialTopics topics = TrialTopics.on(kafka.cluster(), name -> name, kafka.journal())) {
            EmbeddedCluster cluster = kafka.cluster();
            topics.create(Map.of("orders", Kafkas.topic(1, 1, 1)));
            Log.write(cluster, "orders", 3);
            assertThat(topics.appended()).isEqualTo(3);
            assertThat(ExternalCluster.connect(cluster.bootstrap(), new TreeMap<>())
                            .version())
                    .isEqualTo(
                            release.compareTo("3.3") < 0
                                    ? "unknown, older than 3.3"
                                    : release.substring(0, release.lastIndexOf('.')));
            EngineContract.assertDelivers(
                    cluster, folder, Carrier.WIRE, "compression.type: lz4", "isolation.level: read_committed");
            EngineContract.assertDelivers(cluster, folder, Carrier.WIRE, "acks: 0", "");
            assertProbed(cluster);
        }
    }

    /** Asserts that a broker reports all probed metrics, and that its death is noticed. */
    private void assertProbed(EmbeddedCluster cluster) throws Exception {
        Broker broker = cluster.brokers().get(0);
        try (Sampler sampler = Sampler.start(System.nanoTime(), System::nanoTime, readings::add)) {
            sampler.watch("broker-1", Probes.broker(broker.pid(), broker.data(), broker.data()));
            await("request.queue");
            Log.write(cluster, "probed", 20);
            await("request.produce.response.send.mean.ms cpu.cores memory.rss.mib gc.pause.ms safepoint.longest.ms"
                    .concat(
                            " heap.used.mib handlers.idle.percent network.idle.percent response.queue purgatory.produce")
                    .concat(" purgatory.fetch messages.in.per.s partitions.under.replicated isr.shrinks")
                    .concat(" request.produce.total.p99.ms")
                    .split(" ", -1));
            assertThat(sampler.absences())
                    // Kafka 2.7 has no figure of flushes before the first flush.
                    .allSatisfy(absence -> assertThat(absence.metric()).matches("cgroup.*|log\\.flush"));
            cluster.act(ProcessAction.KILL, 1);
            while (sampler.absences().stream()
                    .noneMatch(absence -> absence.metric().equals("*"))) {
                LockSupport.parkNanos(20_000_000);
            }
            assertThat(sampler.absences())
                    .anySatisfy(absence -> assertThat(absence.why()).endsWith("has ended"));
        }
    }

    /** Waits until each metric was read: rates take two readings, and some probes read less often. */
    private void await(String... metrics) throws InterruptedException {
        Set<String> missing = new HashSet<>(Set.of(metrics));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!missing.isEmpty()) {
            Reading reading = readings.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(reading).as("no reading of %s", missing).isNotNull();
            missing.remove(reading.metric());
        }
    }
}
