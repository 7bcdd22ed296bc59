package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBucket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import weir.feature.metrics.BrokerExport.Answer;
import weir.feature.metrics.BrokerExport.Exported;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExporterDialect.ExporterName.SeriesType;
import weir.feature.metrics.FakeExport.FakeBroker;
import weir.measure.Latency;
import weir.measure.Percentile;

class BrokerExportTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long SECOND = 1_000_000_000L;

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final AtomicLong clock = new AtomicLong(100 * SECOND);
    private final FakeBroker broker = new FakeBroker(server);
    private BrokerExport export = new BrokerExport(broker, clock::get, 1_000);

    private record Figures(Map<String, Object> values) implements DynamicMBean {
        @Override
        public Object getAttribute(String attribute) {
            return Objects.requireNonNull(values.get(attribute));
        }

        @Override
        public void setAttribute(Attribute attribute) {
            throw new UnsupportedOperationException("read only");
        }

        @Override
        public AttributeList getAttributes(String[] attributes) {
            AttributeList list = new AttributeList();
            List.of(attributes).forEach(name -> list.add(new Attribute(name, values.get(name))));
            return list;
        }

        @Override
        public AttributeList setAttributes(AttributeList attributes) {
            throw new UnsupportedOperationException("read only");
        }

        @Override
        public Object invoke(String action, Object[] parameters, String[] signature) {
            throw new UnsupportedOperationException("read only");
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            MBeanAttributeInfo[] attributes = values.keySet().stream()
                    .map(name -> new MBeanAttributeInfo(name, "java.lang.Object", name, true, false, false))
                    .toArray(MBeanAttributeInfo[]::new);
            // As in Kafka's metrics library, where each kind of metric has its own class.
            return new MBeanInfo("Kind" + values.keySet(), "", attributes, null, null, null);
        }
    }

    @AfterEach
    void close() {
        export.close();
    }

    private Map<String, Object> register(String bean, Object... attributes) throws Exception {
        Map<String, Object> values = new ConcurrentHashMap<>(new TreeMap<>());
        for (int i = 0; i < attributes.length; i += 2) {
            values.put((String) attributes[i], attributes[i + 1]);
        }
        server.registerMBean(new Figures(values), new ObjectName(bean));
        return values;
    }

    private Answer read() {
        export.ask();
        return export.answer(TIMEOUT);
    }

    private Map<String, Double> kafka(Answer answer) {
        return answer.series().stream()
                .filter(series -> series.name().name().startsWith("kafka"))
                .collect(Collectors.toMap(
                        series -> series.name().name() + series.name().labels(), BrokerExport.Exported::value));
    }

    private Map<String, Double> readASecondLater() {
        clock.addAndGet(SECOND);
        return kafka(read());
    }

    @Test
    void eachKindOfFigureHasItsNameLabelsAndValue() throws Exception {
        register(
                "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=t",
                "Count",
                7L,
                "OneMinuteRate",
                1.0);
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        register("kafka.server:type=raft-metrics", "current-state", "leader", "high-watermark", 9.0, "odd", "text");
        register("kafka.server:type=KafkaServer,name=ClusterId", "Value", "abc");
        register("other:type=KafkaServer,name=Threads", "Value", 1);

        assertThat(kafka(read()))
                .containsOnly(
                        Map.entry("kafka_server_brokertopicmetrics_messagesin_total{topic=t}", 7.0),
                        Map.entry("kafka_server_replicamanager_leadercount{}", 3.0),
                        Map.entry("kafka_server_raftmetrics_current_state{current_state=leader}", 1.0),
                        Map.entry("kafka_server_raftmetrics_high_watermark{}", 9.0));
    }

    @Test
    void jvmSeriesMatchThoseOfTheAgent() {
        try (BrokerExport own = FakeExport.of(clock::get, () -> {})) {
            own.ask();
            assertThat(own.answer(TIMEOUT).series().stream()
                            .map(series -> series.name().name() + series.name().labels()))
                    .contains(
                            "jvm_memory_used_bytes{area=heap}",
                            "jvm_memory_max_bytes{area=nonheap}",
                            "jvm_threads_current{}",
                            "process_cpu_seconds_total{}",
                            "process_open_fds{}",
                            "process_start_time_seconds{}")
                    .anyMatch(series -> series.matches("jvm_gc_collection_seconds_count\\{gc=.+}"))
                    .anyMatch(series -> series.matches("jvm_gc_collection_seconds_sum\\{gc=.+}"));
        }
    }

    @Test
    void brokerIsReadAtMostOnePercentOfTheTimeExceptAtPhases() {
        AtomicInteger looks = new AtomicInteger();
        broker.looks = () -> {
            looks.incrementAndGet();
            clock.addAndGet(SECOND / 50);
        };
        read();
        clock.addAndGet(SECOND);
        read();
        assertThat(looks).hasValue(1);
        export.renew();
        read();
        assertThat(looks).hasValue(2);
        clock.addAndGet(2 * SECOND - SECOND / 20);
        read();
        assertThat(looks).hasValue(2);
        clock.addAndGet(SECOND / 20);
        read();
        assertThat(looks).hasValue(3);
        broker.looks = () -> {
            looks.incrementAndGet();
            clock.addAndGet(5 * SECOND);
        };
        clock.addAndGet(2 * SECOND);
        read();
        clock.addAndGet(5 * SECOND);
        read();
        assertThat(looks).as("after ten seconds at the latest").hasValue(5);
    }

    @Test
    void brokerIsReadAtMostOncePerSecond() {
        read();
        read();
        assertThat(broker.readings).hasValue(1);
    }

    @Test
    void silentBrokerIsAwaitedOnceAndKeepsItsLastSeries() throws Exception {
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        read();
        CountDownLatch paused = new CountDownLatch(1);
        broker.paused = paused;
        clock.addAndGet(SECOND);
        export.ask();
        assertThat(kafka(export.answer(Duration.ofMillis(1)))).hasSize(1);
        export.ask();
        // If this waited, it would wait forever.
        assertThat(kafka(export.answer(Duration.ofDays(1)))).hasSize(1);
        clock.addAndGet(15 * SECOND);
        assertThat(export.answer(Duration.ZERO).series()).as("too old").isEmpty();
        paused.countDown();
    }

    @Test
    void exportIntervalStartsAtTheBeginOfAReading() {
        broker.looks = () -> clock.addAndGet(SECOND / 5);
        read();
        export.renew();
        clock.addAndGet(SECOND - SECOND / 5);
        read();
        assertThat(broker.readings).hasValue(2);
    }

    @Test
    void failedReadingMarksTheBrokerAsDown() throws Exception {
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        broker.looks = () -> {
            throw new IllegalStateException("odd");
        };
        assertThat(read().series()).isEmpty();
        broker.looks = () -> {};
        assertThat(readASecondLater()).hasSize(1);
    }

    @Test
    void beansWithInvalidLabelNamesAreNotExported() throws Exception {
        register("kafka.log:type=Log,name=RetentionSizeInPercent,topic=t,partition=0", "Value", 1);
        register("kafka.log:type=Log,name=Size,topic=t,partition=0,is-future=true", "Value", 1);
        register("kafka.server:type=FetcherStats,name=BytesPerSec,clientId=c,brokerHost=h,brokerPort=1", "Count", 1L);
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        assertThat(kafka(read())).containsOnlyKeys("kafka_server_replicamanager_leadercount{}");
    }

    @Test
    void newMBeansAreFoundAndRemovedOnesAreDropped() throws Exception {
        String first = "kafka.server:type=ReplicaManager,name=LeaderCount";
        register(first, "Value", 3);
        read();
        register("kafka.server:type=ReplicaManager,name=PartitionCount", "Value", 4);
        server.unregisterMBean(new ObjectName(first));
        clock.addAndGet(11 * SECOND);
        assertThat(kafka(read())).containsOnlyKeys("kafka_server_replicamanager_partitioncount{}");
    }

    @Test
    void beansOfAPhaseAreInItsFirstReading() throws Exception {
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        read();
        register("kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec", "Count", 4L);
        assertThat(readASecondLater()).hasSize(1);
        export.renew();
        assertThat(readASecondLater()).containsEntry("kafka_server_brokertopicmetrics_bytesout_total{}", 4.0);
    }

    @Test
    void seriesLimitDropsInternalPartitionsFirst() throws Exception {
        export.close();
        export = new BrokerExport(broker, clock::get, 3);
        register("kafka.log:type=Log,name=Size,topic=__offsets,partition=0", "Value", 1L);
        register("kafka.log:type=Log,name=Size,topic=t,partition=0", "Value", 1L);
        register("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic=zz", "Count", 1L);
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        Answer answer = read();
        assertThat(kafka(answer)).hasSize(3).doesNotContainKey("kafka_log_log_size{partition=0, topic=__offsets}");
        assertThat(answer.leftOut()).isOne();
    }

    @Test
    void goneBrokerHasNoSeriesUntilItReturns() throws Exception {
        register("kafka.server:type=ReplicaManager,name=LeaderCount", "Value", 3);
        assertThat(kafka(read())).hasSize(1);
        broker.down = true;
        clock.addAndGet(SECOND);
        assertThat(read().series()).isEmpty();
        broker.down = false;
        assertThat(readASecondLater()).as("it rests after a failure").isEmpty();
        clock.addAndGet(10 * SECOND);
        assertThat(kafka(read())).hasSize(1);
    }

    private static Exported series(String name, SeriesType type, double value, Map<String, String> labels) {
        return new Exported(new ExporterName(name, new TreeMap<>(labels), type, false), value);
    }

    private static String text(Map<Integer, Answer> answers) {
        return text(new BrokerSeries(() -> 0).show(new TreeMap<>(answers)));
    }

    private static String text(List<MetricSnapshot> series) {
        return new String(MetricsHandler.Exposition.TEXT.part(new MetricSnapshots(series)), UTF_8);
    }

    private static Answer answer(Exported... series) {
        return new Answer(List.of(series), 0, 0);
    }

    @Test
    void eachBrokerHasItsLabel() {
        String text = text(Map.of(
                1, answer(series("kafka_a_total", SeriesType.COUNTER, 5, Map.of("topic", "t"))),
                2, answer(series("kafka_a_total", SeriesType.COUNTER, 7, Map.of("topic", "t")))));
        assertThat(text)
                .contains(
                        "kafka_a_total{broker_id=\"1\",topic=\"t\"} 5.0",
                        "kafka_a_total{broker_id=\"2\",topic=\"t\"} 7.0")
                .contains("weir_broker_up{broker_id=\"2\"} 1.0");
    }

    @Test
    void seriesAreReusedWithoutANewAnswer() {
        Exported shared = series("process_open_fds", SeriesType.GAUGE, 5, Map.of());
        Answer one = answer(shared);
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            List<MetricSnapshot> before = series.show(new TreeMap<>(Map.of(1, one)));
            assertThat(series.show(new TreeMap<>(Map.of(1, one)))).isSameAs(before);
            assertThat(series.show(new TreeMap<>(Map.of(1, answer(shared))))).isNotSameAs(before);
            assertThat(series.show(new TreeMap<>(Map.of(1, one, 2, one)))).hasSameSizeAs(before);
        }
    }

    @Test
    void eachBrokerHasItsOwnLabelsInEachScrape() {
        Exported shared = series("process_open_fds", SeriesType.GAUGE, 5, Map.of());
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            for (int scrape = 0; scrape < 2; scrape++) {
                assertThat(text(series.show(new TreeMap<>(Map.of(1, answer(shared), 2, answer(shared))))))
                        .contains("process_open_fds{broker_id=\"1\"} 5.0", "process_open_fds{broker_id=\"2\"} 5.0");
            }
        }
    }

    @Test
    void labelWithATakenNameIsRenamed() {
        assertThat(text(Map.of(1, answer(series("kafka_b", SeriesType.GAUGE, 1, Map.of("broker_id", "9"))))))
                .contains("kafka_b{broker_id=\"1\",exported_broker_id=\"9\"} 1.0");
    }

    @Test
    void invalidNameDropsOnlyItsOwnSeries() {
        assertThat(text(Map.of(
                        1,
                        answer(
                                series("kafka_c", SeriesType.GAUGE, 1, Map.of("__bad", "x")),
                                series("kafka_d", SeriesType.GAUGE, 2, Map.of())))))
                .contains("kafka_d{broker_id=\"1\"} 2.0")
                .doesNotContain("kafka_c");
    }

    @Test
    void brokerWithoutAnAnswerIsDown() {
        assertThat(text(Map.of(1, answer()))).contains("weir_broker_up{broker_id=\"1\"} 0.0");
    }

    @Test
    void brokerIsReadOnceBeforeTheFirstScrape() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        CountDownLatch read = new CountDownLatch(1);
        TreeMap<Integer, Long> brokers = new TreeMap<>(Map.of(1, 7L, 2, -1L));
        try (BrokerSeries series = new BrokerSeries(
                () -> 0,
                pid -> FakeExport.of(() -> 0, () -> {
                    readings.incrementAndGet();
                    read.countDown();
                }))) {
            series.meet(brokers);
            assertThat(read.await(20, TimeUnit.SECONDS))
                    .as("read without a scrape")
                    .isTrue();
            series.meet(brokers);
            assertThat(text(series.read(brokers, 0, Duration.ofSeconds(20))))
                    .contains("weir_broker_up{broker_id=\"1\"} 1.0", "weir_broker_up{broker_id=\"2\"} 0.0");
            assertThat(readings).hasValue(1);
        }
    }

    @Test
    void brokerWithoutAProcessIsDownAndNotRead() {
        TreeMap<Integer, Long> brokers = new TreeMap<>(Map.of(3, -1L));
        try (BrokerSeries series = new BrokerSeries(() -> 0)) {
            assertThat(text(series.read(brokers, 0, Duration.ZERO))).contains("weir_broker_up{broker_id=\"3\"} 0.0");
        }
    }

    @Test
    void classicBucketCountsValuesUpToItsBound() {
        HistogramDataPointSnapshot point = point(400_000, 900_000, 3_000_000, 70_000_000_000L);
        // Bounds 0.5 ms, 1 ms, 2 ms, 5 ms … and above a minute.
        assertThat(point.getClassicBuckets().getCount(0)).isOne();
        assertThat(point.getClassicBuckets().getCount(1)).isOne();
        assertThat(point.getClassicBuckets().getCount(2)).isZero();
        assertThat(point.getClassicBuckets().getCount(3)).isOne();
        int last = point.getClassicBuckets().size() - 1;
        assertThat(point.getClassicBuckets().getUpperBound(last)).isInfinite();
        assertThat(point.getClassicBuckets().getCount(last)).isOne();
        assertThat(point.getCount()).isEqualTo(4);
        assertThat(point.getSum()).isCloseTo(70.0043, withinPercentage(0.1));
    }

    @Test
    void nativeBucketIncludesItsUpperBound() {
        assertThat(MessageTotals.LatencyBuckets.index(1)).isZero();
        assertThat(MessageTotals.LatencyBuckets.index(1.0001)).isOne();
        assertThat(MessageTotals.LatencyBuckets.index(2)).isEqualTo(8);
        assertThat(MessageTotals.LatencyBuckets.index(0.5)).isEqualTo(-8);
        assertThat(MessageTotals.LatencyBuckets.index(Math.pow(2, 3 / 8.0))).isEqualTo(3);
    }

    @Test
    void nativeBucketsSumToTheCount() {
        HistogramDataPointSnapshot point = point(0, 1_000_000_000, 1_000_000_000, 2_000_000_000);
        assertThat(point.getNativeZeroCount()).isOne();
        assertThat(point.getNativeBucketsForPositiveValues().stream()
                        .mapToLong(bucket -> bucket.getCount())
                        .sum())
                .isEqualTo(3);
        assertThat(point.getNativeSchema()).isEqualTo(MessageTotals.LatencyBuckets.SCHEMA);
    }

    /** The bucket in which Prometheus finds a quantile contains the percentile of the report. */
    @Test
    void aQuantileFallsIntoTheBucketOfThePercentile() {
        for (int count : new int[] {1, 2, 10, 99, 100, 101, 299, 300, 301}) {
            Latency latency = new Latency();
            LongStream.rangeClosed(1, count).forEach(millis -> latency.record(millis * 1_000_000, 1));
            MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
            buckets.add(latency);
            for (double percentile : new double[] {50, 90, 99, 99.9}) {
                long left = Percentile.rank(percentile, count);
                int index = Integer.MAX_VALUE;
                for (NativeHistogramBucket bucket : buckets.point(Labels.EMPTY).getNativeBucketsForPositiveValues()) {
                    if (left > 0) {
                        left -= bucket.getCount();
                        index = bucket.getBucketIndex();
                    }
                }
                assertThat(MessageTotals.LatencyBuckets.index(latency.millis(percentile) / 1_001))
                        .as("p%s of %d", percentile, count)
                        .isEqualTo(index);
            }
        }
    }

    @Test
    void windowsAddUp() {
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        buckets.add(latency(1_000_000));
        buckets.add(latency(1_000_000, 5_000_000));
        assertThat(buckets.point(Labels.EMPTY).getCount()).isEqualTo(3);
    }

    private static HistogramDataPointSnapshot point(long... nanos) {
        MessageTotals.LatencyBuckets buckets = new MessageTotals.LatencyBuckets();
        buckets.add(latency(nanos));
        return buckets.point(Labels.EMPTY);
    }

    private static Latency latency(long... nanos) {
        Latency latency = new Latency();
        for (long each : nanos) {
            latency.record(each, 1);
        }
        return latency;
    }
}
