package weir.feature.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.cluster.start.EmbeddedCluster;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.real.Kafkas;
import weir.real.SharedKafka;
import weir.results.RunResult;
import weir.results.value.Figures;
import weir.run.RunOptions;
import weir.run.Runner;

/**
 * A known load, the file that {@code weir shape} makes of it, and the load of that file: a consumer of the test reads
 * both topics and compares their records. The figures are in {@code target/shape-truth.txt}.
 */
@ExtendWith(SharedKafka.class)
@Timeout(240)
@Tag("long")
@Tag("alone")
class ShapeTruthIT {
    private static final double MOST_DISTANCE = 0.05;
    private static final double MOST_CHANGE = 0.05;
    private static final int SECONDS = 25;
    private static final int RANKS = 500;
    private static final Path FIGURES = Path.of("target", "shape-truth.txt");

    @TempDir
    Path root;

    private final EmbeddedCluster cluster;

    /** The records of the measured phase, the batches of their topic, and the figures of the load. */
    private record Carried(
            List<ConsumerRecord<byte[], byte[]>> records, ObservedTopic topic, Figures figures, String file) {
        double[] of(ToDoubleFunction<ConsumerRecord<byte[], byte[]>> number) {
            return records.stream().mapToDouble(number).sorted().toArray();
        }

        /** The milliseconds between two records. */
        double[] gaps() {
            double[] times = of(ConsumerRecord::timestamp);
            return IntStream.range(1, times.length)
                    .mapToDouble(i -> times[i] - times[i - 1])
                    .sorted()
                    .toArray();
        }

        /** The cumulative shares of the keys, most frequent first; a missing key is a key. */
        double[] keys() {
            Map<String, Integer> counts = new HashMap<>();
            records.forEach(record -> counts.merge(Arrays.toString(record.key()), 1, Integer::sum));
            List<Integer> sorted = new ArrayList<>(counts.values());
            sorted.sort(Collections.reverseOrder());
            double[] shares = new double[RANKS];
            double sum = 0;
            for (int i = 0; i < RANKS; i++) {
                sum += i < sorted.size() ? (double) sorted.get(i) / records.size() : 0;
                shares[i] = sum;
            }
            return shares;
        }

        double bytesPerSecond() {
            double[] times = of(ConsumerRecord::timestamp);
            double bytes = records.stream()
                    .mapToInt(record -> record.serializedKeySize() + record.serializedValueSize())
                    .sum();
            return bytes * 1000 / (times[times.length - 1] - times[0]);
        }

        double batchesPerSecond() {
            return topic.arrivals.offsetsPerSecond() * topic.data() / topic.batchRecords.mean();
        }

        double p99() {
            return Objects.requireNonNull(figures.response().at(99));
        }
    }

    ShapeTruthIT(SharedKafka.Clusters clusters) {
        cluster = clusters.of(Kafkas.of("4.4.0", 1).broker("group.initial.rebalance.delay.ms", "20"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate: 400/s, value: { size: 1KiB }",
                "rate: { poisson: 400/s }, value: { size: 100B..4KiB }",
                "rate: { poisson: 300/s }, value: { size: { 100B: 10%, 200B: 20%, 400B: 30%, 900B: 25%, 2000B: 10%,"
                        + " 6000B: 5% } }, producer: { linger.ms: 20 }",
                "rate: { burst: 50 every 500ms }, value: { size: { 200B: 90%, 20KiB: 10% } }",
                "rate: 300/s, value: { size: 500B }, key: random",
                "rate: { poisson: 300/s }, value: { size: 500B }, key: { skewed: { distinct: 300, exponent: 0 } }",
                "rate: 400/s, value: { size: 500B, content: { random: 50% } }, producer: { compression.type: lz4,"
                        + " linger.ms: 10 }, key: { skewed: { distinct: 1000, exponent: 0.9 } }",
                "rate: { poisson: 400/s }, value: { size: 300B, content: { random: 30% } }, producer:"
                        + " { compression.type: gzip, linger.ms: 10 }, key: { skewed: { distinct: 1000, exponent: 1.1 } }",
                "rate: 200/s, value: { size: 400B }, transaction: { records: 20 }",
                "rate: { poisson: 200/s }, value: { size: 100B..1KiB, content: { random: 40% } }, producers: 3, producer:"
                        + " { compression.type: zstd }"
            })
    void copyOfAKnownLoadHasItsShape(String load) throws Exception {
        Carried source = carry(load.replaceAll("[^a-z0-9]+", "-").substring(0, 20), """
                topics: { t: { partitions: 3 } }
                load: { %s }
                warmup: 5s
                measure: %ds
                """.formatted(load, SECONDS), true);
        String copied = source.file
                .replaceAll("(?m)^name: .*\n|^question: .*\n", "")
                .replaceFirst("(?m)^cluster: .*\n", "")
                .replaceFirst("(?m)^warmup: .*\n", "warmup: 5s\n")
                .replaceFirst("(?m)^measure: .*\n", "measure: " + SECONDS + "s\n");
        Carried copy = carry("copy", copied, false);
        double sizes = ShapeFileTest.distance(
                source.of(ConsumerRecord::serializedValueSize), copy.of(ConsumerRecord::serializedValueSize));
        double gaps = ShapeFileTest.distance(source.gaps(), copy.gaps());
        double keys = IntStream.range(0, RANKS)
                .mapToDouble(i -> Math.abs(source.keys()[i] - copy.keys()[i]))
                .max()
                .orElse(1);
        double bytes = copy.bytesPerSecond() / source.bytesPerSecond();
        double batches = copy.batchesPerSecond() / source.batchesPerSecond();
        String line = String.format(
                Locale.ROOT,
                "sizes %.3f, gaps %.3f, keys %.3f, bytes/s %.3f, batches/s %.3f, p99 %.2f / %.2f ms = %.3f: %s%n",
                sizes,
                gaps,
                keys,
                bytes,
                batches,
                copy.p99(),
                source.p99(),
                copy.p99() / source.p99(),
                load);
        Files.writeString(FIGURES, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.writeString(
                Path.of("target", "shape-truth.yaml"),
                source.file,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        assertThat(sizes).as(line).isLessThanOrEqualTo(MOST_DISTANCE);
        assertThat(keys).as(line).isLessThanOrEqualTo(MOST_DISTANCE);
        assertThat(gaps).as(line).isLessThanOrEqualTo(MOST_DISTANCE);
        // Two random numbers of arrivals differ, too.
        int records = Math.min(source.records.size(), copy.records.size());
        double change = load.contains("poisson") ? Math.max(MOST_CHANGE, 4 * Math.sqrt(2.0 / records)) : MOST_CHANGE;
        assertThat(bytes).as(line).isBetween(1 - change, 1 + change);
        assertThat(batches).as(line).isBetween(1 - change, 1 + change);
    }

    private Carried carry(String name, String yaml, boolean shapes) throws Exception {
        Path file = Files.writeString(
                root.resolve(name + ".yaml"),
                "name: " + name + "\ncluster: { bootstrap: \"" + cluster.bootstrap() + "\" }\n" + yaml);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        Set<String> before = topics();
        FutureTask<RunResult> running = new FutureTask<>(
                () -> new Runner(PlanReader.read(file, Overrides.NONE), options, question -> true).run());
        new Thread(running, "run").start();
        String topic = topic(running, before);
        FutureTask<List<ConsumerRecord<byte[], byte[]>>> reading = new FutureTask<>(() -> read(topic, running));
        new Thread(reading, "read").start();
        ObservedTopic observed = new ObservedTopic(topic, 1, Duration.ofMinutes(2));
        CountDownLatch stop = new CountDownLatch(1);
        FutureTask<Boolean> batches = new FutureTask<>(() -> {
            LockSupport.parkNanos(7_000_000_000L);
            try (LogReader reader = new LogReader(cluster, List.of(observed), 50e6)) {
                reader.read(Duration.ofSeconds(SECONDS - 5), nanos -> stop.await(nanos, TimeUnit.NANOSECONDS));
            }
            return true;
        });
        new Thread(batches, "batches").start();
        String shaped = "";
        if (shapes) {
            LockSupport.parkNanos(7_000_000_000L);
            Shell shell = Shell.weir(
                    "shape",
                    "--bootstrap-server",
                    cluster.bootstrap(),
                    "--topics",
                    Pattern.quote(topic),
                    "--for",
                    SECONDS - 5 + "s",
                    "--show");
            assertThat(shell.exit()).as(shell.err()).isZero();
            shaped = shell.out();
        }
        batches.get();
        RunResult result = running.get();
        List<ConsumerRecord<byte[], byte[]>> all = reading.get();
        long first = all.stream().mapToLong(ConsumerRecord::timestamp).min().orElseThrow() + 6_000;
        List<ConsumerRecord<byte[], byte[]>> measured = all.stream()
                .filter(record -> record.timestamp() >= first && record.timestamp() < first + (SECONDS - 2) * 1000L)
                .toList();
        return new Carried(measured, observed, result.trials().get(0).figures(), shaped);
    }

    private Set<String> topics() throws Exception {
        try (Admin admin = Admin.create(new HashMap<>(cluster.clientProperties()))) {
            return admin.listTopics().names().get();
        }
    }

    private String topic(FutureTask<RunResult> running, Set<String> before) throws Exception {
        while (!running.isDone()) {
            Set<String> made = new TreeSet<>(topics());
            made.removeAll(before);
            if (!made.isEmpty()) {
                return made.iterator().next();
            }
            LockSupport.parkNanos(50_000_000);
        }
        running.get();
        throw new AssertionError("the run made no topic");
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, FutureTask<RunResult> running) {
        Map<String, Object> properties = new TreeMap<>(cluster.clientProperties());
        properties.put("auto.offset.reset", "earliest");
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
            Collection<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!running.isDone()) {
                consumer.poll(Duration.ofMillis(200)).forEach(all::add);
            }
        }
        return all;
    }
}
