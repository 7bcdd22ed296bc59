package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.Broker;
import weir.feature.maintenance.OperationResult.Part;
import weir.host.mbean.LocalMBeans;
import weir.measure.Median;
import weir.plan.trial.Trial;
import weir.probe.BrokerFigure;
import weir.results.RunResult;
import weir.results.value.Event;
import weir.run.AgreeingListener;
import weir.run.RealRun;
import weir.run.RunListener;
import weir.time.DaemonThreads;

/** The gaps of operations against an independent client of the same brokers, and moved bytes against their metrics. */
@Tag("long")
@Timeout(3_600)
class MaintenanceTruthIT {
    private static final int PARTITIONS = 3;
    private static final String BROKERS = "cluster: { kafka: 4.4.0, brokers: 3, controllers: 1, heap: 256MiB,"
            + " jvm: [\"-XX:TieredStopAtLevel=1\"], broker: { broker.session.timeout.ms: 3000,"
            + " broker.heartbeat.interval.ms: 300 } }\n";

    /** Clients that retry at once, so that gaps show the brokers and not the random pauses of the clients. */
    private static final Map<String, String> FAST = Map.of(
            "acks", "all",
            "linger.ms", "0",
            "retry.backoff.ms", "10",
            "retry.backoff.max.ms", "20",
            "reconnect.backoff.ms", "10",
            "reconnect.backoff.max.ms", "20");

    @TempDir
    Path root;

    private record Ack(int partition, long sentNanos, long nanos) {
        /** The ack that arrives now. */
        static Ack of(RecordMetadata metadata) {
            // The timestamp is the time of the call of send, because neither client sets another one.
            long waited = 1_000_000 * (System.currentTimeMillis() - metadata.timestamp());
            long now = System.nanoTime();
            return new Ack(metadata.partition(), now - waited, now);
        }
    }

    /** Returns the longest time in which a record of a partition waited for an ack, of those that overlap a part, in ms. */
    private static double longest(Iterable<Ack> acks, long originNanos, Part part) {
        long[] last = new long[PARTITIONS];
        double longest = 0;
        for (Ack ack : acks) {
            double from = (Math.max(last[ack.partition()], ack.sentNanos()) - originNanos) / 1e9;
            double to = (ack.nanos() - originNanos) / 1e9;
            if (last[ack.partition()] != 0 && to > part.from() && from < part.from() + part.seconds()) {
                longest = Math.max(longest, (to - from) * 1e3);
            }
            last[ack.partition()] = ack.nanos();
        }
        return longest;
    }

    /** The acks of the producers of the load, taken inside of them. They are written to a file when a producer closes. */
    public static final class AcksOfLoad implements ProducerInterceptor<byte[], byte[]> {
        private static final String FILE = "acks.file";

        private final List<Ack> acks = new ArrayList<>();
        private String file = "";

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> message) {
            return message;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception failed) {
            if (failed == null) {
                acks.add(Ack.of(metadata));
            }
        }

        @Override
        public void close() {
            try {
                Files.write(
                        Path.of(file),
                        acks.stream()
                                .map(ack -> ack.partition() + " " + ack.sentNanos() + " " + ack.nanos())
                                .toList());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void configure(Map<String, ?> settings) {
            file = String.valueOf(settings.get(FILE));
        }

        static List<Ack> read(Path file) throws IOException {
            return Files.readAllLines(file).stream()
                    .map(line -> line.split(" ", 3))
                    .map(ack -> new Ack(Integer.parseInt(ack[0]), Long.parseLong(ack[1]), Long.parseLong(ack[2])))
                    .toList();
        }
    }

    /** A producer that sends a record to each partition every 10 ms, and keeps the times of the acks. */
    private static final class Prober implements AgreeingListener, AutoCloseable {
        private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();
        private volatile long originNanos;
        private volatile boolean closed;
        private Thread thread = new Thread();

        @Override
        public void event(Trial trial, Event event) {
            originNanos = System.nanoTime() - Math.round(event.second() * 1e9);
        }

        @Override
        public void phase(Trial trial, String phase, Duration expected) {
            if (phase.equals("measure")) {
                thread.start();
            }
        }

        @Override
        public void brokers(Trial trial, Supplier<List<Broker>> brokers) {
            String bootstrap = brokers.get().stream().map(Broker::address).collect(Collectors.joining(","));
            thread = new Thread(() -> probe(bootstrap));
        }

        private void probe(String bootstrap) {
            Map<String, Object> settings = new TreeMap<>(FAST);
            settings.put("bootstrap.servers", bootstrap);
            settings.put("max.block.ms", "500");
            KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            try {
                for (long next = System.nanoTime(); !closed; next += 10_000_000) {
                    for (int partition = 0; partition < PARTITIONS; partition++) {
                        ProducerRecord<byte[], byte[]> probe = new ProducerRecord<>("t", partition, null, new byte[10]);
                        var unused = producer.send(probe, (acked, failed) -> {
                            if (failed == null) {
                                acks.add(Ack.of(acked));
                            }
                        });
                    }
                    Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                // The brokers may be gone.
                producer.close(Duration.ZERO);
            }
        }

        @Override
        public void close() {
            closed = true;
            DaemonThreads.join(thread, 10_000);
        }
    }

    private RunResult run(String plan, RunListener listener) throws Exception {
        return RealRun.of(root, plan, listener);
    }

    /**
     * The gap is that of the acks of the producer itself. The prober finds new leaders at other times: a tenth of the gap or
     * 100 ms in the median.
     */
    @ParameterizedTest
    @ValueSource(strings = {"controlled", "kill"})
    void gapAgreesWithTheProducerItselfAndWithAnIndependentProber(String how) throws Exception {
        List<String> figures = new ArrayList<>();
        List<Double> differences = new ArrayList<>();
        Path file = root.resolve("acks.txt");
        int rolls = Integer.getInteger("weir.rolls", 2);
        for (int roll = 0; roll < rolls; roll++) {
            try (Prober prober = new Prober()) {
                RunResult run = run(
                        BROKERS
                                + """
                        topics:
                          t: { partitions: 3, replication: 3, config: { min.insync.replicas: 2 } }
                        load:
                          workload: produce
                          rate: 300/s
                          producer: { partitioner.class: %s, interceptor.classes: %s, plugin: { %s: "%s" }, %s }
                        warmup: 3s
                        measure: 5s
                        verify: false
                        during: { roll: { at: 3s, max: 3m, settle: 3s, restart: { brokers: each, how: %s } } }
                        """.formatted(
                                        RoundRobinPartitioner.class.getName(),
                                        AcksOfLoad.class.getName(),
                                        AcksOfLoad.FILE,
                                        file,
                                        FAST.toString().replaceAll("[{}]", "").replace("=", ": "),
                                        how),
                        prober);
                List<Ack> own = AcksOfLoad.read(file);
                List<Part> parts = run.models(OperationResult.class).get(0).parts();
                // The prober starts during the first part.
                for (Part part : parts.subList(1, parts.size() - 1)) {
                    double gap = part.acks().longest();
                    double probed = longest(prober.acks, prober.originNanos, part);
                    figures.add("%s %d %s: %.0f, prober %.0f".formatted(how, roll, part.subject(), gap, probed));
                    differences.add(Math.abs(gap - probed) / Math.max(1_000, probed));
                    assertThat(gap).isCloseTo(longest(own, prober.originNanos, part), within(20.0));
                }
            }
        }
        Files.write(Path.of("target/gaps-" + how + ".txt"), figures);
        assertThat(Median.of(differences, Function.identity()))
                .as("%s", figures)
                .isLessThan(0.1);
    }

    /** A listener that reads the reassignment metrics of all brokers when an operation ends. */
    private static final class Metrics implements AgreeingListener {
        private static final String BEAN = "kafka.server:type=BrokerTopicMetrics,name=ReassignmentBytesInPerSec";

        private Supplier<List<Broker>> brokers = List::of;
        private volatile double mib;

        @Override
        public void brokers(Trial trial, Supplier<List<Broker>> running) {
            brokers = running;
        }

        @Override
        public void event(Trial trial, Event event) {
            if (event.name().equals(Event.DISTURBANCE_OVER)) {
                mib = brokers.get().stream().mapToDouble(Metrics::received).sum();
            }
        }

        private static double received(Broker broker) {
            try (LocalMBeans mbeans = LocalMBeans.of(broker.pid())) {
                return (long) mbeans.connection().getAttribute(BrokerFigure.name(BEAN), "Count") / 0x1p20;
            } catch (InstanceNotFoundException none) {
                return 0;
            } catch (IOException | JMException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void movedBytesAndTheirRateAgreeWithTheBrokersAndTheThrottle() throws Exception {
        Metrics metrics = new Metrics();
        RunResult run = run(BROKERS.replace("brokers: 3", "brokers: 2") + """
                topics: { t: { partitions: 4, brokers: [1] } }
                load: { workload: deliver, rate: 20/s, value: { size: 10KiB }, backlog: { size: 400MiB } }
                warmup: none
                measure: 5s
                during: { move: { at: 3s, max: 3m, settle: 3s,
                  reassign: { topic: t, brokers: [2], throttle: 20MB/s } } }
                """, metrics);
        Part move = run.models(OperationResult.class).get(0).parts().get(1);
        assertThat(Objects.requireNonNull(move.moved())).isCloseTo(metrics.mib, withinPercentage(1));
        assertThat(Objects.requireNonNull(move.movedRate())).isCloseTo(20e6 / 0x1p20, withinPercentage(5));
    }
}
