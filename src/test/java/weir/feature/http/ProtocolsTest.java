package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.LoopbackKeys;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.http.RawClient;
import weir.load.EngineLoad;
import weir.load.QuietEngine;
import weir.load.engine.Engine;
import weir.load.message.Identity;
import weir.load.send.Sender;
import weir.measure.Balance;
import weir.measure.Count;
import weir.plan.Variant;

/** Weir's sender and Weir's gateway, in each version of HTTP, plain and encrypted. */
@Timeout(30)
class ProtocolsTest {
    private static final int RECORDS = 400;

    @TempDir
    static Path folder;

    private static LoopbackKeys keys;

    private final EngineLoad engineLoad = new EngineLoad();
    private final List<String> events = engineLoad.events;

    @BeforeAll
    static void makeKeys() {
        keys = LoopbackKeys.in(folder);
    }

    private static GatewaySettings settings(boolean tls) {
        Path both = Path.of(tls ? keys.server().getOrDefault("ssl.keystore.location", "") : "");
        return GatewayUnderTest.settings(Map.of(), GatewaySpec.Answer.ACKED, RequestLimits.DEFAULT, "", both);
    }

    @ParameterizedTest
    @CsvSource({"1.1, false", "2, false", "1.1, true", "2, true"})
    void everyRecordArrivesOnce(String version, boolean tls) throws IOException {
        try (GatewayUnderTest under = new GatewayUnderTest(true, settings(tls))) {
            String trusted = tls ? ", tls: " + keys.client().getOrDefault("ssl.truststore.location", "") : "";
            Balance balance = carry(
                    "http: { version: " + version + trusted + " }",
                    (tls ? "https" : "http") + "://127.0.0.1:"
                            + under.gateway.address().getPort());
            assertThat(balance.of(Count.ACKED)).as(events.toString()).isEqualTo(RECORDS);
            Set<Long> sequences = new HashSet<>();
            under.producer.history().forEach(record -> sequences.add(Identity.sequence(record.value())));
            assertThat(under.producer.history()).hasSize(RECORDS);
            assertThat(sequences).hasSize(RECORDS);
        }
    }

    @ParameterizedTest
    @CsvSource({"1.1", "2"})
    void aSinkAnswersEachVersion(String version) throws IOException {
        try (HttpSink sink = HttpSink.start(0)) {
            Balance balance = carry(
                    "http: { version: " + version + " }",
                    "http://127.0.0.1:" + sink.address().getPort());
            assertThat(balance.of(Count.ACKED)).as(events.toString()).isEqualTo(RECORDS);
        }
    }

    @Test
    void sinkAnswersHeadWithoutABodyAndClosesHttp10Connections() throws IOException {
        try (HttpSink sink = HttpSink.start(0)) {
            try (RawClient raw = new RawClient(sink.address())) {
                String twice = raw.send("HEAD / HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                        .readAll();
                assertThat(twice).containsOnlyOnce("{}").endsWith("{}");
                assertThat(twice.split("HTTP/1.1 200 OK", -1)).hasSize(3);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1.1", "2"})
    void refusalIsReportedInEachHttpVersion(String version) throws IOException {
        Duration five = Duration.ofSeconds(5);
        RequestLimits tight = GatewayTest.limits(50, five, five, five, 100);
        GatewaySettings settings = GatewayUnderTest.settings(Map.of(), tight);
        try (GatewayUnderTest under = new GatewayUnderTest(true, settings)) {
            Balance balance = carry(
                    "http: { version: " + version + " }",
                    "http://127.0.0.1:" + under.gateway.address().getPort());
            assertThat(balance.of(Count.FAILED)).isEqualTo(RECORDS);
            assertThat(events).anyMatch(event -> event.contains("HTTP 413"));
            assertThat(under.producer.history()).isEmpty();
        }
    }

    private Balance carry(String http, String url) throws IOException {
        Variant variant = EngineLoad.variant(folder, """
                bridge: { url: "http://gateway" }
                topics: { %s: {} }
                load:
                  workload: produce
                  engine: { send: http, receive: client }
                  connections: 2
                  rate: 64 at a time
                  value: { size: 100B }
                  %s
                warmup: none
                measure: { operations: %d }
                """.formatted(GatewayUnderTest.TOPIC, http, RECORDS));
        HttpEngine engine = new HttpEngine(
                HttpSettings.of(
                        List.of(url),
                        List.of(GatewayUnderTest.TOPIC),
                        variant.load().part(HttpSpec.class),
                        1,
                        false),
                System::nanoTime,
                events::add);
        return engineLoad.carry(
                variant, folder, 7, new Engine(engine, QUIET, QUIET), System::nanoTime, 10_000, load -> {});
    }

    private static final QuietEngine QUIET = new QuietEngine() {
        @Override
        public List<String> partitions() {
            return List.of("orders-0");
        }

        @Override
        public Sender sender(int producer) {
            throw new AssertionError("the engine http sends");
        }

        @Override
        public void close() {}
    };

    @Test
    void unfinishedTlsHandshakeDoesNotDelayClose() throws Exception {
        GatewayUnderTest under = new GatewayUnderTest(true, settings(true));
        try (RawClient silent = under.raw()) {
            while (under.gateway.counts().getOrDefault("connections", 0L) < 1) {
                Thread.sleep(1);
            }
            long begun = System.nanoTime();
            under.close();
            assertThat(System.nanoTime() - begun).isLessThan(HttpServer.LAST.toNanos() / 2);
            assertThat(silent.readAll()).isEmpty();
        }
    }
}
