package weir.feature.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import weir.feature.metrics.Exporter.ExporterBrokers;
import weir.feature.metrics.Exporter.ExporterWatch;
import weir.feature.metrics.ExporterClient.ExporterAddress;
import weir.feature.metrics.ExporterDialect.ExporterName;
import weir.feature.metrics.ExporterDialect.ExporterName.SeriesType;
import weir.feature.metrics.ExpositionParser.Sample;
import weir.measure.Reading;
import weir.run.lab.GivenMetrics;

/**
 * The names of Weir's export, compared with the real agent, jmx_prometheus_javaagent, in a broker of Kafka 4.3.1. The
 * file broker.beans lists MBeans with attributes; each .series is the agent's answer. Both have only one request, one
 * listener and three partitions. Without rules, they have only counts, levels and means in Kafka's domains.
 */
@Timeout(20)
class ScrapesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SortedMap<Integer, String> ONE = new TreeMap<>(Map.of(7, "kafka-7:9092"));
    private static final SortedMap<Integer, String> TWO = new TreeMap<>(Map.of(1, "kafka-1:9092", 2, "kafka-2:9092"));

    private static final String STRIMZI = """
            kafka_server_brokertopicmetrics_messagesin_total %d
            kafka_server_brokertopicmetrics_messagesin_total{topic="weir-t"} %d
            kafka_server_brokertopicmetrics_messagesin_total{topic="other"} 77777
            kafka_network_requestmetrics_totaltimems_count{request="Produce"} %d
            kafka_network_requestmetrics_totaltimems{request="Produce",quantile="0.50"} 3
            kafka_network_requestmetrics_totaltimems{request="Produce",quantile="0.99"} 9
            kafka_network_requestmetrics_totaltimems_mean{request="Produce"} %s
            kafka_server_replicamanager_underreplicatedpartitions 2
            jvm_memory_bytes_used{area="heap"} 10485760
            jvm_memory_bytes_used{area="nonheap"} 99
            """;

    private static final String RELEASE_1 = """
            kafka_server_brokertopicmetrics_messagesin_total %d
            kafka_server_brokertopicmetrics_messagesin_total{topic="weir-t"} %d
            kafka_network_requestmetrics_totaltimems_count_total{request="Produce"} %d
            kafka_network_requestmetrics_totaltimems{request="Produce",quantile="0.50"} 3
            kafka_network_requestmetrics_totaltimems{request="Produce",quantile="0.99"} 9
            kafka_network_requestmetrics_totaltimems_mean{request="Produce"} %s
            kafka_server_replicamanager_underreplicatedpartitions 2
            jvm_memory_used_bytes{area="heap"} 10485760
            """;

    private static final String NO_RULES = """
            kafka_server_BrokerTopicMetrics_Count{name="MessagesInPerSec",} %d
            kafka_server_BrokerTopicMetrics_Count{name="MessagesInPerSec",topic="weir-t",} %d
            kafka_network_RequestMetrics_Count{name="TotalTimeMs",request="Produce",} %d
            kafka_network_RequestMetrics_50thPercentile{name="TotalTimeMs",request="Produce",} 3
            kafka_network_RequestMetrics_99thPercentile{name="TotalTimeMs",request="Produce",} 9
            kafka_network_RequestMetrics_Mean{name="TotalTimeMs",request="Produce",} %s
            kafka_server_ReplicaManager_Value{name="UnderReplicatedPartitions",} 2
            jvm_memory_used_bytes{area="heap",} 10485760
            """;

    private final LoopbackExporter exporter = new LoopbackExporter();
    private final LoopbackExporter other = new LoopbackExporter();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Reading> readings = new ArrayList<>();
    private final List<String> unseen = new ArrayList<>();

    @AfterEach
    void close() {
        exporter.close();
        other.close();
    }

    static List<Arguments> dialects() {
        return List.of(
                Arguments.of("Strimzi's before release 1.0", STRIMZI),
                Arguments.of("the newer release", RELEASE_1),
                Arguments.of("no rules", NO_RULES));
    }

    private static String page(String dialect, long messages, long requests, String mean) {
        return String.format(dialect, messages, messages, requests, mean);
    }

    private Exporter asked(SortedMap<Integer, String> brokers) {
        return new Exporter(
                ExporterAddress.of(exporter.url()),
                new ExporterClient(),
                nanos::get,
                brokers,
                (of, why) -> unseen.add(of + ": " + why));
    }

    private ExporterWatch watch(SortedMap<Integer, String> brokers) {
        return new ExporterWatch(asked(brokers), 0, nanos::get, readings::add);
    }

    /** Returns the readings of a turn a second later, by name. */
    private Map<String, Double> turn(ExporterWatch watch) {
        readings.clear();
        nanos.addAndGet(SECOND);
        watch.turn();
        Map<String, Double> byName = new TreeMap<>();
        readings.forEach(reading -> byName.put(reading.source() + " " + reading.metric(), reading.value()));
        return byName;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dialects")
    void eachDialectGivesTheSameReadingsAsJmx(String name, String dialect) {
        ExporterWatch watch = watch(ONE);
        exporter.tells(page(dialect, 1000, 10, "4"));
        assertThat(turn(watch)).as("only a mark for its totals").isEmpty();
        exporter.tells(page(dialect, 1500, 20, "6"));
        assertThat(turn(watch))
                .containsOnly(
                        Map.entry("broker-7 messages.in.per.s", 500.0),
                        // From 10 requests of 4 ms to 20 of 6 ms: the ten in between took 8 ms each.
                        Map.entry("broker-7 request.produce.total.mean.ms", 8.0),
                        Map.entry("broker-7 request.produce.count", 10.0),
                        Map.entry("broker-7 request.produce.total.p50.ms", 3.0),
                        Map.entry("broker-7 request.produce.total.p99.ms", 9.0),
                        Map.entry("broker-7 partitions.under.replicated", 2.0),
                        Map.entry("broker-7 heap.used.mib", 10.0));
        assertThat(readings).extracting(Reading::second).containsOnly(1.0);
        assertThat(unseen).isEmpty();
    }

    @Test
    void readingsOfASlowExporterCarryItsAnswerTime() {
        // The exporter counts 1000 a second, and answers after 0 s and 2.5 s in turn.
        AtomicLong asks = new AtomicLong();
        exporter.answers(exchange -> {
            if (asks.getAndIncrement() % 2 == 1) {
                nanos.addAndGet(5 * SECOND / 2);
            }
            LoopbackExporter.send(exchange, 200, "text/plain", page(STRIMZI, nanos.get() / 1_000_000, 10, "4"));
        });
        ExporterWatch watch = watch(ONE);
        List<Reading> rates = new ArrayList<>();
        for (int turn = 0; turn < 60; turn++) {
            turn(watch);
            rates.addAll(readings.stream()
                    .filter(reading -> reading.metric().equals("messages.in.per.s"))
                    .toList());
        }
        assertThat(rates)
                .hasSizeGreaterThan(6)
                .allSatisfy(rate -> assertThat(rate.value()).isCloseTo(1000, within(1.0)));
        Reading last = rates.get(rates.size() - 1);
        assertThat(last.second()).isLessThanOrEqualTo(nanos.get() / (double) SECOND);
    }

    @Test
    void deadExporterIsReportedOnceAndMayReturn() {
        ExporterWatch watch = watch(TWO);
        exporter.tells(page(STRIMZI, 1000, 10, "4"));
        turn(watch);
        exporter.answers(exchange -> LoopbackExporter.send(exchange, 503, "text/plain", "no"));
        assertThat(turn(watch)).isEmpty();
        assertThat(turn(watch)).isEmpty();
        String source = "broker-" + exporter.url().replaceAll("http://|/metrics", "");
        assertThat(unseen)
                .as("no broker is known to be at this host")
                .containsExactly(source + ": " + exporter.url() + ": it answered with HTTP 503");
        exporter.tells(page(STRIMZI, 4000, 10, "4"));
        assertThat(turn(watch)).containsEntry(source + " messages.in.per.s", 1000.0);
        exporter.answers(exchange -> LoopbackExporter.send(exchange, 503, "text/plain", "no"));
        turn(watch);
        assertThat(unseen).hasSize(2);
    }

    @Test
    void implausibleMetricsGiveNoReadings() {
        ExporterWatch watch = watch(ONE);
        exporter.tells(page(STRIMZI, 1000, 10, "4"));
        turn(watch);
        for (String lie :
                List.of(page(STRIMZI, -5, -7, "-1"), page(STRIMZI, 10, 1, "NaN"), page(STRIMZI, 9, 0, "+Inf"))) {
            exporter.tells(lie);
            Map<String, Double> told = turn(watch);
            assertThat(told).containsEntry("broker-7 heap.used.mib", 10.0);
            assertThat(told.values()).allSatisfy(value -> assertThat(value).isBetween(0.0, 10.0));
            assertThat(told).doesNotContainKeys("broker-7 messages.in.per.s", "broker-7 request.produce.count");
        }
        assertThat(unseen).isEmpty();
    }

    @Test
    void counterDipGivesNoSpikeAndRestartContinues() {
        ExporterWatch watch = watch(ONE);
        exporter.tells(page(STRIMZI, 1000, 10, "4"));
        turn(watch);
        exporter.tells(page(STRIMZI, 10, 1, "4"));
        assertThat(turn(watch)).doesNotContainKeys("broker-7 messages.in.per.s", "broker-7 request.produce.count");
        exporter.tells(page(STRIMZI, 1500, 20, "4"));
        assertThat(turn(watch))
                .containsEntry("broker-7 messages.in.per.s", 250.0)
                .containsEntry("broker-7 request.produce.count", 10.0);
        for (int messages = 0; messages < 300; messages += 100) {
            exporter.tells(page(STRIMZI, messages, messages / 10, "4"));
            turn(watch);
        }
        exporter.tells(page(STRIMZI, 300, 30, "4"));
        assertThat(turn(watch)).as("it was started anew").containsEntry("broker-7 messages.in.per.s", 100.0);
    }

    @Test
    void exporterIsBusyAtMostATenthOfTheTime() {
        exporter.answers(exchange -> {
            nanos.addAndGet(300_000_000L);
            LoopbackExporter.send(exchange, 200, "text/plain", page(STRIMZI, 1000, 10, "4"));
        });
        try (Exporter asked = asked(ONE)) {
            asked.ask();
            assertThat(asked.pages()).containsOnlyKeys("broker-7");
            // The first turn had two requests, also for its brokers: 0.6 s in all.
            for (long second = 1; second < 6; second++) {
                nanos.set(second * SECOND);
                asked.ask();
                assertThat(asked.pages()).as("second " + second).isEmpty();
            }
            nanos.set(6 * SECOND);
            asked.ask();
            assertThat(asked.pages()).containsOnlyKeys("broker-7");
            assertThat(unseen).isEmpty();
        }
    }

    private static String of(int broker, String page) {
        return page.replaceAll("(?m)^(kafka\\w+) ", "$1{broker_id=\"" + broker + "\"} ")
                .replaceAll("(?m)^(kafka\\w+)\\{(?!broker)", "$1{broker_id=\"" + broker + "\",");
    }

    private GivenMetrics.Scraping scrapes(SortedMap<Integer, String> brokers, String... urls) {
        return new Scrapes().start(List.of(urls), brokers, 0, nanos::get, reading -> {}, (of, why) -> {});
    }

    @Test
    void brokerCountIsUnknownIfAnExporterFails() throws InterruptedException {
        exporter.tells(of(1, page(STRIMZI, 100, 10, "4")));
        other.tells(of(2, page(STRIMZI, 100, 10, "4")));
        try (GivenMetrics.Scraping both = scrapes(TWO, exporter.url(), other.url())) {
            exporter.await(2);
            other.await(2);
            assertThat(both.messagesIn(List.of("weir-t"))).hasValue(200);
            assertThat(both.messagesIn(List.of("unknown")))
                    .as("a dialect may have no topics at all")
                    .isEmpty();
            other.answers(exchange -> LoopbackExporter.send(exchange, 503, "text/plain", "no"));
            assertThat(both.messagesIn(List.of("weir-t")))
                    .as("half of it is none")
                    .isEmpty();
        }
        exporter.forget();
        try (GivenMetrics.Scraping twice = scrapes(TWO, exporter.url(), exporter.url())) {
            exporter.await(2);
            assertThat(twice.messagesIn(List.of("weir-t")))
                    .as("one broker of two")
                    .isEmpty();
        }
        exporter.forget();
        exporter.tells(of(1, page(STRIMZI, 100, 10, "4") + page(NO_RULES, 100, 10, "4")));
        try (GivenMetrics.Scraping spelt = scrapes(new TreeMap<>(Map.of(1, "kafka-1:9092")), exporter.url())) {
            exporter.await(2);
            assertThat(spelt.messagesIn(List.of("weir-t"))).as("told twice").hasValue(100);
        }
    }

    @Test
    void onePageMayHaveSeveralBrokers() {
        ExporterAddress address = ExporterAddress.of("http://prometheus:9090/federate");
        SortedMap<Integer, String> cluster =
                new TreeMap<>(Map.of(1, "kafka-a:9092", 2, "kafka-b:9092", 3, "localhost:1", 4, "localhost:2"));
        ExporterBrokers byNumber =
                ExporterBrokers.of(List.of(Map.of("broker_id", "1"), Map.of("broker_id", "2")), address, cluster);
        assertThat(byNumber.sources().values()).containsExactly("broker-1", "broker-2");
        assertThat(byNumber.source(new Sample("x", Map.of("broker_id", "2"), 0, false)))
                .isEqualTo("broker-2");
        assertThat(byNumber.source(new Sample("x", Map.of(), 0, false))).isEmpty();
        assertThat(ExporterBrokers.of(
                                List.of(
                                        Map.of("instance", "kafka-b:9404"),
                                        Map.of("instance", "localhost:9404"),
                                        Map.of("instance", "elsewhere:9404")),
                                address,
                                cluster)
                        .sources()
                        .values())
                .as("by their hosts where those are known")
                .containsExactlyInAnyOrder("broker-2", "broker-localhost:9404", "broker-elsewhere:9404");
        assertThat(ExporterBrokers.of(List.of(Map.of()), ExporterAddress.of("http://KAFKA-A:9404/metrics"), cluster)
                        .sources()
                        .values())
                .containsExactly("broker-1");
    }

    private String refused(SortedMap<Integer, String> brokers, String... urls) {
        return String.join("\n", new Scrapes().refused(List.of(urls), brokers).values());
    }

    @Test
    void unreadableExporterIsReportedInOneLineWithoutItsQuery() {
        exporter.tells("up 1\n");
        assertThat(refused(ONE, exporter.url() + "?name%5B%5D=hidden"))
                .startsWith("'" + exporter.url() + "' cannot be read: it has no metrics of a Kafka broker")
                .doesNotContain("hidden");
        exporter.tells("""
                kafka_server_brokertopicmetrics_messagesin_total{x="1"} 1
                kafka_server_brokertopicmetrics_messagesin_total{x="2"} 1
                """);
        assertThat(refused(ONE, exporter.url())).contains("it has 2 brokers, but no label");
        exporter.tells("kafka_server_brokertopicmetrics_messagesin_total 1 1395066363000\n");
        assertThat(refused(ONE, exporter.url())).contains("its samples have timestamps");
        exporter.tells(of(3, page(NO_RULES, 1, 1, "1")));
        assertThat(refused(TWO, exporter.url()))
                .contains("it has the metrics of broker-3, but the cluster has broker-1, broker-2");
        exporter.tells(of(1, page(NO_RULES, 1, 1, "1")));
        other.tells(of(1, page(STRIMZI, 1, 1, "1")));
        assertThat(refused(TWO, exporter.url(), other.url()))
                .contains("it has the metrics of broker-1, which 'http://127.0.0.1:")
                .doesNotContain("\n");
        other.tells(of(2, page(STRIMZI, 1, 1, "1")));
        assertThat(refused(TWO, exporter.url(), other.url())).isEmpty();
    }

    @Test
    void strimziDialectNamesSeriesLikeItsAgent() throws Exception {
        assertThat(ours(ExporterDialect.STRIMZI)).containsExactlyInAnyOrderElementsOf(agents("strimzi-1.0.1"));
    }

    @Test
    void rulesMatchTheFileOfStrimzi() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("strimzi.yml"))) {
            Map<?, ?> read = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromInputStream(file);
            List<ExporterDialect.Rule> rules = new ArrayList<>();
            for (Object each : (List<?>) Objects.requireNonNull(read.get("rules"))) {
                rules.add(rule((Map<?, ?>) each));
            }
            assertThat(ExporterDialect.STRIMZI.rules)
                    .usingRecursiveComparison()
                    .withEqualsForType((a, b) -> a.pattern().equals(b.pattern()), Pattern.class)
                    .isEqualTo(rules);
        }
    }

    private static ExporterDialect.Rule rule(Map<?, ?> read) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (read.get("labels") instanceof Map<?, ?> named) {
            named.forEach((name, value) -> labels.put(name.toString(), value.toString()));
        }
        return ExporterDialect.Rule.of(
                String.valueOf(read.get("pattern")),
                String.valueOf(read.get("name")),
                SeriesType.valueOf(String.valueOf(read.get("type"))),
                labels,
                read.containsKey("value"));
    }

    @Test
    void olderRulesNameEverySeriesLikeTheAgent() throws Exception {
        assertThat(ours(ExporterDialect.KAFKA_2_0_0)).containsExactlyInAnyOrderElementsOf(agents("kafka-2_0_0-1.0.1"));
    }

    @Test
    void seriesWithoutRulesAreNamedLikeTheAgent() throws Exception {
        Set<String> ours = ours(ExporterDialect.NO_RULES);
        ours.removeIf(series -> !series.matches("kafka\\w+_(Count|Value|Mean)\t.*"));
        assertThat(ours).containsExactlyInAnyOrderElementsOf(agents("no-rules-1.0.1"));
    }

    @Test
    void upToRelease020TheRulesOwnNameIsTheSeries() throws Exception {
        TreeSet<String> names = new TreeSet<>();
        for (ExporterName name : named(ExporterDialect.STRIMZI)) {
            names.add(name.name());
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(agents("strimzi-0.20.0"));
    }

    @Test
    void everySpellingOfABytesCounterIsOffered() throws Exception {
        ObjectName bean = new ObjectName("kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec,topic=orders");
        assertThat(ExporterName.spellings(bean, "Count"))
                .containsExactly(
                        series("kafka_server_brokertopicmetrics_bytesin_total", SeriesType.COUNTER, "topic", "orders"),
                        new ExporterName(
                                "kafka_server_BrokerTopicMetrics_Count",
                                Map.of("name", "BytesInPerSec", "topic", "orders"),
                                SeriesType.UNTYPED));
    }

    @Test
    void everySpellingOfARequestsCountIsOfferedWithAndWithoutTotal() throws Exception {
        ObjectName bean = new ObjectName("kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce");
        String name = "kafka_network_requestmetrics_totaltimems_count";
        assertThat(ExporterName.spellings(bean, "Count"))
                .startsWith(
                        series(name + "_total", SeriesType.COUNTER, "request", "Produce"),
                        series(name, SeriesType.COUNTER, "request", "Produce"));
        assertThat(ExporterName.spellings(bean, "99thPercentile"))
                .first()
                .isEqualTo(new ExporterName(
                        "kafka_network_requestmetrics_totaltimems",
                        Map.of("request", "Produce", "quantile", "0.99"),
                        SeriesType.GAUGE));
    }

    @Test
    void idlePercentOfNetworkThreadsHasBothDialectSpellings() throws Exception {
        ObjectName bean = new ObjectName("kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent");
        assertThat(ExporterName.spellings(bean, "Value").stream().map(ExporterName::name))
                .containsExactly(
                        "kafka_network_socketserver_networkprocessoravgidle_percent",
                        "kafka_network_socketserver_networkprocessoravgidlepercent",
                        "kafka_network_SocketServer_Value");
    }

    @Test
    void textAttributeIsExportedOnlyAsALabel() throws Exception {
        assertThat(ExporterDialect.STRIMZI.name(
                        new ObjectName("kafka.server:type=KafkaServer,name=ClusterId"), "Value", "abc"))
                .isEmpty();
        ExporterName state = ExporterDialect.STRIMZI
                .name(new ObjectName("kafka.server:type=raft-metrics"), "current-state", "leader")
                .orElseThrow();
        assertThat(state)
                .isEqualTo(new ExporterName(
                        "kafka_server_raftmetrics_current_state",
                        new TreeMap<>(Map.of("current_state", "leader")),
                        SeriesType.UNTYPED,
                        true));
    }

    private static ExporterName series(String name, SeriesType type, String label, String value) {
        return new ExporterName(name, Map.of(label, value), type);
    }

    private static List<ExporterName> named(ExporterDialect dialect) throws IOException, MalformedObjectNameException {
        List<ExporterName> names = new ArrayList<>();
        for (String line : lines("broker.beans")) {
            String[] parts = line.split("\t", 2);
            for (String attribute : parts[1].split(" ", -1)) {
                int text = attribute.indexOf('=');
                String name = text < 0 ? attribute : attribute.substring(0, text);
                Object value = text < 0 ? (Object) 1 : attribute.substring(text + 1);
                dialect.name(new ObjectName(parts[0]), name, value).ifPresent(names::add);
            }
        }
        return names;
    }

    private static Set<String> ours(ExporterDialect dialect) throws Exception {
        TreeSet<String> all = new TreeSet<>();
        for (ExporterName name : named(dialect)) {
            ExporterName series = name.fromRelease1();
            SortedMap<String, String> labels = series.labels();
            all.add(series.name() + "\t" + series.type().name().toLowerCase(Locale.ROOT) + "\t"
                    + labels.entrySet().stream()
                            .map(label -> label.getKey() + "=" + label.getValue())
                            .collect(Collectors.joining(",")));
        }
        return all;
    }

    private static Set<String> agents(String file) throws IOException {
        return new TreeSet<>(lines(file + ".series"));
    }

    private static List<String> lines(String file) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                        Objects.requireNonNull(ScrapesTest.class.getResourceAsStream(file)), UTF_8));
                Stream<String> lines = reader.lines()) {
            return lines.toList();
        }
    }
}
