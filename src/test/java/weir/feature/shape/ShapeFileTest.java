package weir.feature.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.NeedsFeature;
import weir.load.message.KeySource;
import weir.load.message.Payloads;
import weir.load.message.ValueSource;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.TransactionSpec;
import weir.plan.ValueSpec;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.wire.RecordCursor;

/** Known streams of batches become experiment files, whose loads have the same distributions. */
class ShapeFileTest {
    private static final int RECORDS = 60_000;
    private static final int SECONDS = 60;
    private static final int PER_BATCH = 20;
    private static final double MOST_DISTANCE = 0.05;

    private final SplittableRandom random = new SplittableRandom(11);
    private final List<String> remarks = new ArrayList<>();
    private final List<TopicFacts.Group> groups = new ArrayList<>();

    /** A topic with a known load. */
    private final class Source {
        private final ObservedTopic topic;
        private ToIntFunction<SplittableRandom> sizes = any -> 100;
        private Function<SplittableRandom, byte @Nullable []> keys = any -> null;
        private double[] times = IntStream.range(0, RECORDS)
                .mapToDouble(i -> i * 1e3 * SECONDS / RECORDS)
                .toArray();
        private CompressionType codec = CompressionType.NONE;
        private long producer = -1;
        private boolean transactional;
        private double tombstones;
        private Header[] headers = {};

        private Source(String name) {
            topic = new ObservedTopic(name, random.nextLong(), Duration.ofSeconds(SECONDS));
            topic.partitionRecords = new long[1];
        }

        private ObservedTopic observe() throws IOException {
            try (RecordCursor cursor = ObservedTopic.cursor()) {
                topic.ends(0, 0);
                int next = 0;
                for (int second = 1; second <= SECONDS; second++) {
                    int from = next;
                    while (next < times.length && times[next] < second * 1e3) {
                        int until = Math.min(times.length, next + PER_BATCH);
                        add(batch(next, until), next, cursor);
                        next = until;
                    }
                    topic.ends(second * 1000L, next - from);
                }
            }
            return topic;
        }

        private void add(MemoryRecords batch, long from, RecordCursor cursor) throws IOException {
            ByteBuffer bytes = batch.buffer();
            topic.add(0, bytes, 0, bytes.limit(), from, cursor);
        }

        private MemoryRecords batch(int from, int until) {
            MemoryRecordsBuilder builder = builder(from, codec, false);
            for (int i = from; i < until; i++) {
                byte[] value = random.nextDouble() < tombstones ? none() : new byte[sizes.applyAsInt(random)];
                builder.append((long) times[i], keys.apply(random), value, headers);
            }
            return builder.build();
        }

        @SuppressWarnings("NullAway")
        private byte[] none() {
            return null;
        }

        private void marker(long millis, long offset, RecordCursor cursor, ControlRecordType type) throws IOException {
            MemoryRecordsBuilder builder = builder(offset, CompressionType.NONE, true);
            builder.appendEndTxnMarker(millis, new EndTransactionMarker(type, 0));
            add(builder.build(), offset, cursor);
        }

        private MemoryRecordsBuilder builder(long offset, CompressionType compression, boolean control) {
            return new MemoryRecordsBuilder(
                    ByteBuffer.allocate(1 << 16),
                    RecordBatch.CURRENT_MAGIC_VALUE,
                    Compression.of(compression).build(),
                    TimestampType.CREATE_TIME,
                    offset,
                    RecordBatch.NO_TIMESTAMP,
                    producer,
                    (short) (producer < 0 ? -1 : 0),
                    producer < 0 || control ? -1 : 0,
                    transactional,
                    control,
                    0,
                    1 << 30);
        }
    }

    private String file(ObservedTopic... observed) {
        Map<String, TopicFacts.Topic> facts = new HashMap<>();
        Map<String, Map<Integer, Long>> ends = new HashMap<>();
        for (ObservedTopic topic : observed) {
            facts.put(
                    topic.name,
                    new TopicFacts.Topic(
                            topic.name,
                            12,
                            3,
                            new TreeMap<>(Map.of("min.insync.replicas", "2", "cleanup.policy", "compact,delete"))));
            ends.put(topic.name, Map.of(0, topic.records));
        }
        return ShapeFile.of(
                "shop.yaml",
                new ShapeFile.Observation(
                        "kafka-1:9092",
                        3,
                        "2026-11-28T00:00:00Z",
                        "1 min",
                        List.of(observed),
                        facts,
                        groups,
                        remarks,
                        ends));
    }

    private static Experiment read(String file) {
        return PlanReader.read(Path.of("shop.yaml"), file, Overrides.NONE);
    }

    private static LoadSpec load(String file) {
        return read(file).variants().get(0).load();
    }

    private ToIntFunction<SplittableRandom> sizes(String kind) {
        return switch (kind) {
            case "constant" -> any -> 1024;
            case "uniform" -> any -> 100 + any.nextInt(3997);
            case "log-normal" -> any -> (int) Math.max(1, Math.exp(6 + 0.8 * any.nextGaussian()));
            case "bimodal" -> any -> any.nextInt(10) < 9 ? 200 : 20_000;
            case "bimodal-spread" -> any -> any.nextInt(10) < 7 ? 150 + any.nextInt(50) : 5_000 + any.nextInt(4_000);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @CsvSource({"constant", "uniform", "log-normal", "bimodal", "bimodal-spread"})
    void sizesOfTheFileAreThoseOfTheTopic(String kind) throws IOException {
        Source source = new Source("orders");
        source.sizes = sizes(kind);
        LoadSpec load = load(file(source.observe()));
        ValueSource values = Payloads.of(load, Path.of(""), 5).values().apply(0);
        double[] copy = IntStream.range(0, RECORDS)
                .mapToDouble(i -> values.next(i).length)
                .toArray();
        double[] truth = IntStream.range(0, RECORDS)
                .mapToDouble(i -> source.sizes.applyAsInt(random))
                .toArray();
        assertThat(distance(truth, copy)).as(kind).isLessThanOrEqualTo(MOST_DISTANCE);
        assertThat(Arrays.stream(copy).average().orElse(0))
                .isCloseTo(
                        Arrays.stream(truth).average().orElse(0),
                        within(0.05 * Arrays.stream(truth).average().orElse(0)));
    }

    @Test
    void sizesOfOneFormHaveThisFormInTheFile() throws IOException {
        Source constant = new Source("orders");
        constant.sizes = sizes("constant");
        assertThat(file(constant.observe())).contains("value: { size: 1KiB }");
        Source uniform = new Source("orders");
        uniform.sizes = sizes("uniform");
        assertThat(file(uniform.observe())).contains("value: { size: 100B..4KiB }");
    }

    /** The largest difference of two empirical distribution functions. */
    static double distance(double[] one, double[] other) {
        double[] first = Arrays.stream(one).sorted().toArray();
        double[] second = Arrays.stream(other).sorted().toArray();
        double distance = 0;
        int i = 0;
        int j = 0;
        while (i < first.length && j < second.length) {
            double at = Math.min(first[i], second[j]);
            while (i < first.length && first[i] == at) {
                i++;
            }
            while (j < second.length && second[j] == at) {
                j++;
            }
            distance = Math.max(distance, Math.abs((double) i / first.length - (double) j / second.length));
        }
        return distance;
    }

    @ParameterizedTest
    @CsvSource({"10, 0", "1000, 0", "50000, 0", "1000, 0.9", "100000, 0.9", "1000, 1.1", "100000, 1.1", "1000000, 1.1"})
    void keysOfTheFileAreAsSkewedAsThoseOfTheTopic(int distinct, double exponent) throws IOException {
        double[] upTo = new double[distinct];
        double sum = 0;
        for (int i = 0; i < distinct; i++) {
            sum += Math.pow(i + 1, -exponent);
            upTo[i] = sum;
        }
        double whole = sum;
        Function<SplittableRandom, byte[]> keys = any -> {
            int at = Arrays.binarySearch(upTo, any.nextDouble() * whole);
            return ("order-" + (at < 0 ? -at - 1 : at)).getBytes(StandardCharsets.US_ASCII);
        };
        Source source = new Source("orders");
        source.keys = any -> keys.apply(any);
        LoadSpec load = load(file(source.observe()));
        KeySource copied = Payloads.of(load, Path.of(""), 5).keys().apply(0);
        double[] copy = shares(i -> new String(copied.next(i, new byte[0]), StandardCharsets.US_ASCII));
        double[] truth = shares(i -> new String(keys.apply(random), StandardCharsets.US_ASCII));
        double most = 0;
        for (int i = 0; i < Math.max(copy.length, truth.length); i++) {
            most = Math.max(most, Math.abs(copy[Math.min(i, copy.length - 1)] - truth[Math.min(i, truth.length - 1)]));
        }
        assertThat(most).as("%s", load.messages().key()).isLessThanOrEqualTo(MOST_DISTANCE);
    }

    /** The cumulative shares of all keys, from the most frequent to the rarest. */
    private static double[] shares(Function<Integer, String> keys) {
        Map<String, Integer> counts = new HashMap<>();
        IntStream.range(0, RECORDS).forEach(i -> counts.merge(keys.apply(i), 1, Integer::sum));
        double[] shares = counts.values().stream()
                .sorted((one, other) -> other - one)
                .mapToDouble(count -> (double) count / RECORDS)
                .toArray();
        Arrays.parallelPrefix(shares, Double::sum);
        return shares;
    }

    @Test
    void missingKeysAndNewKeysAreFound() throws IOException {
        assertThat(load(file(new Source("orders").observe())).messages().key()).isInstanceOf(KeySpec.None.class);
        Source source = new Source("orders");
        source.keys = any -> Long.toHexString(any.nextLong()).getBytes(StandardCharsets.US_ASCII);
        assertThat(load(file(source.observe())).messages().key()).isInstanceOf(KeySpec.Random.class);
    }

    @Test
    void memoryOfKeysIsBoundedAndTheirNumberIsEstimated() {
        KeySketch keys = new KeySketch(3, 1 << 15);
        for (int i = 0; i < 3_000_000; i++) {
            keys.add(i);
        }
        assertThat(keys.complete()).isFalse();
        assertThat(keys.distinct()).isCloseTo(3e6, within(0.04 * 3e6));
    }

    @Test
    void constantRateIsOneRate() throws IOException {
        RateSpec rate = load(file(new Source("orders").observe())).rate();
        assertThat(rate).isInstanceOf(RateSpec.Fixed.class);
        assertThat(rate.text()).isEqualTo("1000/s");
    }

    @ParameterizedTest
    @CsvSource({"5", "100", "1000"})
    void independentArrivalsAreAPoissonProcess(int perSecond) throws IOException {
        Source source = new Source("orders");
        double[] at = {0};
        source.times = IntStream.range(0, perSecond * SECONDS)
                .mapToDouble(i -> at[0] += -Math.log(1 - random.nextDouble()) * 1e3 / perSecond)
                .toArray();
        RateSpec rate = load(file(source.observe())).rate();
        assertThat(rate).isInstanceOf(RateSpec.Poisson.class);
        assertThat(((RateSpec.Poisson) rate).rate().perSecond()).isCloseTo(perSecond, within(0.15 * perSecond));
    }

    @Test
    void burstsAtEqualDistancesAreBursts() throws IOException {
        Source source = new Source("orders");
        source.times = IntStream.range(0, RECORDS)
                .mapToDouble(i -> 500 + i / 5000 * 5000 + random.nextInt(80))
                .sorted()
                .toArray();
        RateSpec rate = load(file(source.observe())).rate();
        assertThat(rate.text()).isEqualTo("burst 5000 every 5s");
    }

    @Test
    void changingRateHasSteps() throws IOException {
        Source source = new Source("orders");
        // 500/s for 30 s, then 1500/s for 30 s.
        source.times = IntStream.range(0, RECORDS)
                .mapToDouble(i -> i < 15_000 ? i * 2.0 : 30_000 + (i - 15_000) * 30_000.0 / 45_000)
                .toArray();
        LoadSpec load = load(file(source.observe()));
        assertThat(load.rate().steps().get(0).rate().perSecond()).isCloseTo(500, within(25.0));
        assertThat(load.rate()
                        .steps()
                        .get(load.rate().steps().size() - 1)
                        .rate()
                        .perSecond())
                .isCloseTo(1500, within(75.0));
        assertThat(load.rate().length().toSeconds()).isBetween(56L, 60L);
    }

    @Test
    void rateOfSkippedRecordsIsTheGrowthOfTheOffsets() throws IOException {
        Source source = new Source("orders");
        ObservedTopic topic = source.observe();
        topic.unread = RECORDS;
        for (int second = SECONDS; second < 2 * SECONDS; second++) {
            topic.ends(second * 1000L + 1000, 1000);
        }
        String file = file(topic);
        assertThat(load(file).rate().text()).isEqualTo("1000/s");
        assertThat(file.replaceAll("\n *# ", " "))
                .contains("skipped 60,000 records, because")
                .contains("not visible: bursts within a second");
    }

    @Test
    void clockSkewIsNamedAndTheOffsetsGiveTheRate() throws IOException {
        Source source = new Source("orders");
        ObservedTopic topic = source.observe();
        for (int i = 0; i < RECORDS; i++) {
            topic.arrivals.record(-3_600_000);
        }
        String file = file(topic);
        assertThat(file.replaceAll("\n *# ", " ")).contains("clock skew: 50% of the records");
        assertThat(load(file).rate().text()).isEqualTo("1000/s");
    }

    @Test
    void settingsOfTopicProducerAndTransactionsStandInTheFile() throws IOException {
        Source source = new Source("orders");
        source.codec = CompressionType.ZSTD;
        source.producer = 7;
        source.transactional = true;
        source.times = Arrays.copyOf(source.times, 2000);
        ObservedTopic topic = source.observe();
        try (RecordCursor cursor = ObservedTopic.cursor()) {
            // Each transaction has 20 records, and markers in two partitions.
            for (int i = 0; i < 100; i++) {
                ControlRecordType type = i % 10 == 0 ? ControlRecordType.ABORT : ControlRecordType.COMMIT;
                source.marker(20L * i, 5000 + 2L * i, cursor, type);
                source.marker(20L * i + 1, 5001 + 2L * i, cursor, type);
            }
        }
        Experiment experiment = read(file(topic));
        LoadSpec load = experiment.variants().get(0).load();
        assertThat(load.producers().properties())
                .containsEntry("compression.type", "zstd")
                .containsEntry("linger.ms", "20");
        assertThat(load.producers().count()).isEqualTo(1);
        assertThat(load.transaction()).isInstanceOfSatisfying(TransactionSpec.Records.class, transaction -> {
            assertThat(transaction.records()).isEqualTo(20);
            assertThat(transaction.abort().share()).isCloseTo(0.1, within(0.001));
        });
        assertThat(experiment.variants().get(0).topics()).hasEntrySatisfying("orders", orders -> {
            assertThat(orders.partitions()).isEqualTo(12);
            assertThat(orders.replication()).isEqualTo(3);
            assertThat(orders.config())
                    .containsEntry("min.insync.replicas", "2")
                    .containsEntry("cleanup.policy", "compact,delete");
        });
        ValueSpec.Generated value = (ValueSpec.Generated) load.messages().value();
        assertThat(value.content()).isInstanceOf(ValueSpec.Content.PartlyRandom.class);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 1", "20, 1", "100, 1", "5, 3", "20, 2"})
    void lingerIsTheTimeInWhichRandomRecordsFillTheBatches(int lingerMillis, int brokers) {
        double[] shares = {0.1, 0.2, 0.7};
        ObservedTopic topic = new ObservedTopic("orders", 1, Duration.ofSeconds(SECONDS));
        topic.partitionRecords = new long[shares.length];
        ByteBuffer key = ByteBuffer.allocate(1);
        double[] leaves = new double[brokers];
        double[] opened = new double[shares.length];
        int[] waiting = new int[shares.length];
        double[] last = new double[shares.length];
        for (double now = 0; now < 1e3 * SECONDS; now += -1e3 / 500 * Math.log(1 - random.nextDouble())) {
            double drawn = random.nextDouble();
            int partition = drawn < 0.1 ? 0 : drawn < 0.3 ? 1 : 2;
            int broker = partition % brokers;
            if (now > leaves[broker]) {
                for (int i = broker; i < shares.length; i += brokers) {
                    if (waiting[i] > 0) {
                        topic.batchRecords.add(waiting[i]);
                    }
                    if (waiting[i] > 1) {
                        topic.batchMillis.add((int) (last[i] - opened[i]));
                    }
                    waiting[i] = 0;
                }
                leaves[broker] = now + lingerMillis;
            }
            opened[partition] = waiting[partition] == 0 ? now : opened[partition];
            last[partition] = now;
            waiting[partition]++;
            topic.add(key, 0, 1, 100);
            topic.records++;
            topic.partitionRecords[partition]++;
        }
        assertThat(topic.lingerMillis(500, brokers, false)).isCloseTo(lingerMillis, within(0.05 * lingerMillis + 0.5));
    }

    @Test
    void partsThatTheLanguageLacksAreComments() throws IOException {
        Source source = new Source("orders");
        source.tombstones = 0.25;
        source.headers =
                new Header[] {new RecordHeader("secret-name", "secret-value".getBytes(StandardCharsets.US_ASCII))};
        source.keys = any -> ("secret-key-" + any.nextInt(50)).getBytes(StandardCharsets.US_ASCII);
        String file = file(source.observe());
        assertThat(file.replaceAll("\n *# ", " "))
                .contains("tombstones: 25% of the values are null")
                .contains("headers: 100% of the records have headers; sizes of their names and values: all 23B")
                .contains("not visible: acks");
        assertThat(file).doesNotContain("secret");
        assertThat(load(file).producers().properties()).containsEntry("enable.idempotence", "false");
    }

    @Test
    void largestGroupReadsTheLoadAndOtherGroupsAreComments() throws IOException {
        groups.add(new TopicFacts.Group("audit's", "classic", Map.of("orders", 1), Map.of()));
        groups.add(new TopicFacts.Group(
                "billing", "consumer", Map.of("orders", 4), Map.of(new TopicPartition("orders", 0), 59_000L)));
        String file = file(new Source("orders").observe());
        LoadSpec load = load(file);
        assertThat(load.workload()).isEqualTo(LoadSpec.Workload.DELIVER);
        assertThat(load.consumers().count()).isEqualTo(4);
        assertThat(load.consumers().group().name()).isEqualTo("billing");
        assertThat(load.consumers().group().protocol()).isEqualTo(GroupSpec.Protocol.CONSUMER);
        assertThat(file.replaceAll("\n *# ", " "))
                .contains("a lag of 1,000 records")
                .contains("not in this load: group 'audit's'");
    }

    @Test
    @NeedsFeature("maintenance")
    void otherTopicsAreSecondLoadsAndEmptyTopicsAreComments() throws IOException {
        remarks.add("not visible: consumer groups\n  rate: max");
        Source orders = new Source("orders");
        orders.sizes = sizes("constant");
        Source payments = new Source("true");
        ObservedTopic empty = new ObservedTopic("empty", 1, Duration.ofSeconds(SECONDS));
        ObservedTopic gone = new ObservedTopic("gone", 1, Duration.ofSeconds(SECONDS));
        gone.remark("the topic was deleted during the observation");
        String file = file(payments.observe(), empty, gone, orders.observe());
        Experiment experiment = read(file);
        assertThat(experiment.variants().get(0).load().topics()).containsExactly("orders");
        assertThat(experiment.variants().get(0).during()).containsOnlyKeys("load-2");
        assertThat(experiment.variants().get(0).topics()).containsOnlyKeys("orders", "true");
        assertThat(file)
                .contains("# - empty: no record arrived\n")
                .contains("# - gone: the topic was deleted during the observation\n")
                .contains("# not visible: consumer groups rate: max\n");
    }
}
