package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.probe.Probes;
import weir.probe.Reading;
import weir.probe.Sampler;

@Timeout(180)
class ProbeIT {
    private final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"3.3.2", "4.3.1"})
    void aBrokerOfAnyReleaseTellsAllWeAskAndItsDeathIsNoticed(String version, @TempDir Path folder) throws Exception {
        try (Journal journal = Journal.open(folder.resolve("state"));
                Children children = Children.open(journal);
                EmbeddedCluster cluster = EmbeddedCluster.start(
                        Kafkas.of(version, 1).spec(), children, folder.resolve("logs"), what -> {});
                Sampler sampler = Sampler.start(System.nanoTime(), readings::add)) {
            sampler.watch("broker-1", Probes.broker(cluster.brokers().get(0).pid()));
            Set<String> seen = until("request.queue");
            write(cluster.clientProperties());
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

    private static void write(SortedMap<String, String> client) throws InterruptedException, ExecutionException {
        Map<String, Object> properties = new HashMap<>(client);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int record = 0; record < 20; record++) {
                producer.send(new ProducerRecord<>("probed", new byte[100])).get();
            }
        }
    }
}
