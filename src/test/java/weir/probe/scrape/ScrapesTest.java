package weir.probe.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weir.probe.Reading;

@Timeout(20)
class ScrapesTest {
    private final LoopbackExporter exporter = new LoopbackExporter();
    private final BlockingQueue<Reading> readings = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> unseen = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        exporter.close();
    }

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

    static List<Arguments> dialects() {
        return List.of(
                Arguments.of("Strimzi's before release 1.0", STRIMZI),
                Arguments.of("the newer release", RELEASE_1),
                Arguments.of("no rules", NO_RULES));
    }

    private static String page(String dialect, long messages, long requests, String mean) {
        return String.format(dialect, messages, messages, requests, mean);
    }

    private Scrapes start(AtomicLong nanos, SortedMap<Integer, String> brokers, String... urls) {
        return Scrapes.start(
                List.of(urls), brokers, 0, nanos::get, readings::add, (of, why) -> unseen.add(of + ": " + why));
    }

    /** Returns when a broker was found, and its totals are marked: two requests. Only then may a second pass. */
    private void marked() throws InterruptedException {
        exporter.await(2);
    }

    /** So many readings of the next second, by name. */
    private Map<String, Double> next(AtomicLong nanos, int count) throws InterruptedException {
        Map<String, Double> next = new TreeMap<>();
        nanos.addAndGet(1_000_000_000L);
        while (next.size() < count) {
            Reading reading = readings.poll(10, TimeUnit.SECONDS);
            assertThat(reading).as("after " + next).isNotNull();
            next.put(reading.source() + " " + reading.metric(), reading.value());
        }
        return next;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dialects")
    void eachDialectGivesTheReadingsThatJmxGives(String name, String dialect) throws Exception {
        AtomicLong nanos = new AtomicLong();
        exporter.tells(page(dialect, 1000, 10, "4"));
        try (Scrapes scrapes = start(nanos, new TreeMap<>(Map.of(7, "kafka-7:9092")), exporter.url())) {
            marked();
            exporter.tells(page(dialect, 1500, 20, "6"));
            assertThat(next(nanos, 7))
                    .containsOnly(
                            Map.entry("broker-7 messages.in.per.s", 500.0),
                            // From 10 of 4 ms to 20 of 6 ms: the ten in between took 8 ms each.
                            Map.entry("broker-7 request.produce.total.mean.ms", 8.0),
                            Map.entry("broker-7 request.produce.count", 10.0),
                            Map.entry("broker-7 request.produce.total.p50.ms", 3.0),
                            Map.entry("broker-7 request.produce.total.p99.ms", 9.0),
                            Map.entry("broker-7 partitions.under.replicated", 2.0),
                            Map.entry("broker-7 heap.used.mib", 10.0));
            assertThat(scrapes.messagesIn(List.of("weir-t"))).hasValue(1500);
            assertThat(scrapes.messagesIn(List.of("unknown")))
                    .as("a dialect may have no topics at all")
                    .isEmpty();
            assertThat(unseen).isEmpty();
        }
    }

    @Test
    void anExporterThatDiesIsSaidOnceAndComesBack() throws Exception {
        AtomicLong nanos = new AtomicLong();
        exporter.tells(page(STRIMZI, 1000, 10, "4"));
        try (Scrapes scrapes = start(nanos, new TreeMap<>(Map.of(1, "a:1", 2, "b:1")), exporter.url())) {
            marked();
            exporter.answers(exchange -> LoopbackExporter.send(exchange, 503, "text/plain", "no"));
            nanos.addAndGet(1_000_000_000L);
            String source = exporter.url().replaceAll("http://|/metrics", "");
            assertThat(unseen.poll(10, TimeUnit.SECONDS))
                    .as("no broker is known to be at this host")
                    .isEqualTo("broker-" + source + ": " + exporter.url() + ": it answers with status 503");
            exporter.tells(page(STRIMZI, 1000, 10, "4"));
            assertThat(next(nanos, 6)).containsEntry("broker-" + source + " heap.used.mib", 10.0);
            assertThat(scrapes.messagesIn(List.of("weir-t")))
                    .as("one broker of two has an exporter")
                    .isEmpty();
            assertThat(unseen).isEmpty();
        }
    }

    @Test
    @SuppressWarnings("try")
    void liesAreNoReadings() throws Exception {
        AtomicLong nanos = new AtomicLong();
        exporter.tells(page(STRIMZI, 1000, 10, "4"));
        try (Scrapes scrapes = start(nanos, new TreeMap<>(Map.of(1, "a:1")), exporter.url())) {
            marked();
            for (String lie :
                    List.of(page(STRIMZI, -5, -7, "-1"), page(STRIMZI, 10, 1, "NaN"), page(STRIMZI, 9, 0, "+Inf"))) {
                exporter.tells(lie);
                // The heap is the last figure of a page.
                Map<String, Double> told = next(nanos, 1);
                while (!told.containsKey("broker-1 heap.used.mib")) {
                    Reading reading = readings.poll(10, TimeUnit.SECONDS);
                    assertThat(reading).isNotNull();
                    told.put(reading.source() + " " + reading.metric(), reading.value());
                }
                assertThat(told.values()).allSatisfy(value -> assertThat(value).isBetween(0.0, 10.0));
                assertThat(told).doesNotContainKeys("broker-1 messages.in.per.s", "broker-1 request.produce.count");
            }
            assertThat(unseen).isEmpty();
        }
    }

    @Test
    void anExporterWorksATenthOfTheTimeAtTheMost() {
        AtomicLong nanos = new AtomicLong();
        exporter.answers(exchange -> {
            nanos.addAndGet(300_000_000L);
            LoopbackExporter.send(exchange, 200, "text/plain", page(STRIMZI, 1000, 10, "4"));
        });
        try (Exporter asked = new Exporter(
                ExporterAddress.of(exporter.url()),
                new ExporterClient(),
                nanos::get,
                new TreeMap<>(Map.of(1, "a:1")),
                (of, why) -> unseen.add(why))) {
            asked.ask();
            assertThat(asked.page("broker-1")).isNotNull();
            // The first time it was asked twice, for its brokers too: that took 0.6 s.
            for (long second = 1; second < 6; second++) {
                nanos.set(second * 1_000_000_000L);
                asked.ask();
                assertThat(asked.rests()).as("second " + second).isTrue();
                assertThat(asked.page("broker-1")).isNull();
            }
            nanos.set(6_000_000_000L);
            asked.ask();
            assertThat(asked.page("broker-1")).isNotNull();
            assertThat(unseen).isEmpty();
        }
    }

    @Test
    void onePageMayTellOfManyBrokers() {
        ExporterAddress address = ExporterAddress.of("http://prometheus:9090/federate");
        SortedMap<Integer, String> cluster =
                new TreeMap<>(Map.of(1, "kafka-a:9092", 2, "kafka-b:9092", 3, "localhost:1", 4, "localhost:2"));
        ExporterBrokers byNumber =
                ExporterBrokers.of(List.of(Map.of("broker_id", "1"), Map.of("broker_id", "2")), address, cluster);
        assertThat(byNumber.sources().values()).containsExactly("broker-1", "broker-2");
        assertThat(byNumber.source(new Sample("x", Map.of("broker_id", "2"), 0)))
                .isEqualTo("broker-2");
        assertThat(byNumber.source(new Sample("x", Map.of(), 0))).isEmpty();
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

    @Test
    void whatCannotBeReadIsOneLineWithoutItsQuery() {
        exporter.tells("up 1\n");
        assertThat(Scrapes.refused(exporter.url() + "?a=hidden"))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("'" + exporter.url() + "' cannot be read: it tells of no Kafka broker")
                        .doesNotContain("hidden"));
        String two = """
                kafka_server_brokertopicmetrics_messagesin_total{x="1"} 1
                kafka_server_brokertopicmetrics_messagesin_total{x="2"} 1
                """;
        exporter.tells(two);
        assertThat(Scrapes.refused(exporter.url()))
                .hasValueSatisfying(why -> assertThat(why).contains("it tells of 2 brokers, and no label"));
        exporter.tells(page(NO_RULES, 1, 1, "1"));
        assertThat(Scrapes.refused(exporter.url())).isEmpty();
    }
}
