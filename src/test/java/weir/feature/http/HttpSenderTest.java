package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.measure.Balances.assertCounts;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.load.EngineLoad;
import weir.load.QuietEngine;
import weir.load.engine.Engine;
import weir.load.message.Identity;
import weir.load.send.Sender;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.plan.Variant;

@Timeout(30)
class HttpSenderTest {
    private static final long MILLI = 1_000_000;
    private static final String WELL = FakeServer.answer("200 OK", "{}");

    @TempDir
    Path folder;

    private final EngineLoad engineLoad = new EngineLoad();
    private final List<String> events = engineLoad.events;
    private final Map<String, Double> figures = new TreeMap<>();
    /** The clock skips this time once all messages are sent. */
    private final AtomicLong aheadNanos = new AtomicLong();

    private final AtomicBoolean skips = new AtomicBoolean();

    /** {@code load} is added to {@code workload: produce}. */
    private Balance carry(String load, int operations, String... urls) throws IOException {
        aheadNanos.set(0);
        skips.set(false);
        Variant variant = EngineLoad.variant(folder, """
                bridge: { url: "http://gateway" }
                load: { workload: produce, engine: { send: http, receive: client }, %s }
                warmup: none
                measure: { operations: %d }
                """.formatted(load, operations));
        HttpSettings asked = HttpSettings.of(
                List.of(urls),
                List.of("t"),
                variant.load().part(HttpSpec.class),
                variant.load().producers().count(),
                false);
        HttpEngine engine = new HttpEngine(asked, System::nanoTime, events::add);
        return engineLoad.carry(variant, folder, 7, new Engine(engine, quiet, quiet), this::now, 10_000, carried -> {
            skips.set(true);
            carried.finishReading(System.nanoTime() + MILLI);
            engine.report(figures::put);
        });
    }

    private long now() {
        return System.nanoTime() + aheadNanos.get();
    }

    private static long sequence(byte[] identity) {
        return Identity.sequence(identity);
    }

    private static List<Long> upTo(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    @Test
    void everyMessageIsOneRequestOnKeptConnections() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) -> WELL)) {
            Balance balance = carry("rate: max, connections: 4, value: { size: 100B }", 500, server.url() + "/base/");
            assertThat(balance.of(Count.ACKED)).isEqualTo(500);
            assertThat(server.connections).hasValue(5);
            assertThat(server.heard).hasSize(500).allSatisfy(heard -> {
                assertThat(heard.line()).isEqualTo("POST /base/topics/t HTTP/1.1");
                assertThat(heard.header("Host")).isEqualTo(server.url().substring("http://".length()));
                assertThat(heard.header("Content-Type")).isEqualTo("application/octet-stream");
                assertThat(heard.header("Record-Header-weir")).isEmpty();
                assertThat(heard.body()).hasSize(100);
            });
            Set<Long> sent = new HashSet<>();
            server.heard.forEach(heard -> sent.add(sequence(latin(heard.body()))));
            assertThat(sent).containsExactlyInAnyOrderElementsOf(upTo(500));
            assertThat(figures).containsEntry("producer.requests-in-flight", 0.0);
        }
    }

    private static byte[] latin(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Test
    void textValueCarriesItsIdentityOutsideTheValue() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) -> WELL)) {
            carry("rate: max, key: { column: 1 }, value: { content: planes }", 50, server.url());
            for (int i = 0; i < 50; i++) {
                FakeServer.ReceivedRequest heard = server.heard.get(i);
                assertThat(sequence(Base64.getDecoder().decode(heard.header("Record-Header-weir"))))
                        .isEqualTo(i);
                String key = heard.body().substring(0, heard.body().indexOf(','));
                assertThat(heard.line()).isEqualTo("POST /topics/t?key=" + key + " HTTP/1.1");
            }
        }
    }

    @Test
    void eachLineHasAnIdentity() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) -> WELL)) {
            Balance balance = carry(
                    "rate: max, value: { content: planes }, http: { request: lines, batch: 20 }", 200, server.url());
            assertThat(balance.of(Count.ACKED)).isEqualTo(200);
            assertThat(server.heard).hasSize(10);
            Set<Long> sent = new HashSet<>();
            for (FakeServer.ReceivedRequest heard : server.heard) {
                assertThat(heard.header("Content-Type")).isEqualTo("application/x-ndjson");
                String[] identities = heard.header("Record-Header-weir").split(",", -1);
                assertThat(heard.body().split("\n", -1)).hasSize(20).hasSameSizeAs(identities);
                for (String identity : identities) {
                    sent.add(sequence(Base64.getDecoder().decode(identity)));
                }
            }
            assertThat(sent).containsExactlyInAnyOrderElementsOf(upTo(200));
            assertThat(figures.get("producer.requests-in-flight")).isZero();
        }
    }

    @Test
    void eachRestRecordHasItsKeyAndHeaders() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) -> WELL)) {
            carry(
                    "rate: max, key: sequence, value: { content: planes }, http: { request: rest-v2, batch: 2 }",
                    4,
                    server.url());
            FakeServer.ReceivedRequest heard = server.heard.get(0);
            assertThat(heard.header("Content-Type")).isEqualTo("application/vnd.kafka.binary.v2+json");
            assertThat(heard.body())
                    .matches("\\{\"records\":\\[(,?\\{\"key\":\"[^\"]+\",\"value\":\"[^\"]+\","
                            + "\"headers\":\\[\\{\"key\":\"weir\",\"value\":\"[^\"]{32}\"}]}){2}]}");
        }
    }

    @Test
    void failedRequestIsCountedWithTheAnswerOfTheServer() throws IOException {
        try (FakeServer server = new FakeServer(
                (number, heard) -> number % 2 == 0 ? WELL : FakeServer.answer("404 Not Found", "no\n topic"))) {
            Balance balance = carry("rate: one at a time", 10, server.url());
            assertCounts(balance, "acked 5, failed 5");
            assertThat(events).anyMatch(event -> event.contains("HTTP 404: no topic"));
        }
    }

    @Test
    void retryAfterIsFollowedUpToTheRetryLimit() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) ->
                number < 2 ? FakeServer.answer("503 Service Unavailable", "Retry-After: 0", "full") : WELL)) {
            Balance balance = carry("rate: one at a time, http: { retries: 2 }", 3, server.url());
            assertThat(balance.of(Count.ACKED)).isEqualTo(3);
            assertThat(server.heard).hasSize(5);
            assertThat(figures)
                    .containsEntry("producer.request-retry-total", 2.0)
                    .containsEntry("producer.responses-later-total", 2.0);
        }
        try (FakeServer server =
                new FakeServer((number, heard) -> FakeServer.answer("429 Too Many Requests", "Retry-After: 0", ""))) {
            assertThat(carry("rate: one at a time, http: { retries: 2 }", 2, server.url())
                            .of(Count.FAILED))
                    .isEqualTo(2);
            assertThat(server.heard).hasSize(6);
        }
    }

    @Test
    void retryAfterIsHonoured() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) ->
                number == 0 ? FakeServer.answer("503 Service Unavailable", "Retry-After: 1", "") : WELL)) {
            carry("rate: one at a time, http: { retries: 1 }", 1, server.url());
            assertThat(engineLoad.numbers().latency(LatencyKind.RESPONSE).maxMillis())
                    .isBetween(1_000.0, 1_999.0);
        }
    }

    @Test
    void brokenConnectionIsReopenedAndItsRequestRetriedOnlyIfConfigured() throws IOException {
        FakeServer.Conduct rude = (number, heard) -> number % 3 == 1 ? null : WELL;
        try (FakeServer server = new FakeServer(rude)) {
            Balance balance = carry("rate: one at a time", 9, server.url());
            assertCounts(balance, "failed 3, acked 6");
            assertThat(events).anyMatch(event -> event.contains("the connection was closed"));
        }
        try (FakeServer server = new FakeServer(rude)) {
            assertThat(carry("rate: one at a time, http: { retries: 1 }", 9, server.url())
                            .of(Count.ACKED))
                    .isEqualTo(9);
        }
    }

    @Test
    void serverThatClosesConnectionsGetsOneRequestOnEach() throws IOException {
        try (FakeServer server =
                new FakeServer((number, heard) -> FakeServer.answer("200 OK", "Connection: close", "{}"))) {
            assertThat(carry("rate: one at a time", 20, server.url()).of(Count.ACKED))
                    .isEqualTo(20);
            assertThat(server.connections.get()).isBetween(21, 23);
        }
    }

    @Test
    void missingAnswerFailsAfterTheTimeout() throws IOException {
        try (FakeServer server = new FakeServer((number, heard) -> {
            if (number == 1) {
                Thread.sleep(2_000);
            }
            return WELL;
        })) {
            Balance balance = carry("rate: one at a time, http: { timeout: 300ms }", 4, server.url());
            assertCounts(balance, "failed 1, acked 3");
            assertThat(events).anyMatch(event -> event.contains("no answer within # ms"));
        }
    }

    @Test
    void unwrittenPartOfABatchFails() throws IOException {
        String part = "{\"offsets\":[{\"partition\":0,\"offset\":1},{\"error_code\":503,\"message\":\"x\"},"
                + "{\"partition\":0,\"offset\":2,\"error_code\":null,\"error\":null}]}";
        try (FakeServer server =
                new FakeServer((number, heard) -> FakeServer.answer("503 Service Unavailable", part))) {
            Balance balance = carry(
                    "rate: 3 at a time, value: { content: planes }, http: { request: lines, batch: 3, retries: 5 }",
                    3,
                    server.url());
            assertCounts(balance, "acked 2, failed 1");
            assertThat(server.heard).hasSize(1);
        }
    }

    @Test
    void stallCountsInTheResponseOfMessagesDueDuringIt() throws IOException {
        long[] stalled = new long[1];
        try (FakeServer server = new FakeServer((number, heard) -> {
            if (number == 100) {
                long begun = System.nanoTime();
                Thread.sleep(300);
                stalled[0] = System.nanoTime() - begun;
            }
            return WELL;
        })) {
            Balance balance = carry("rate: 400/s", 300, server.url());
            assertThat(balance.of(Count.ACKED)).isEqualTo(300);
            double stall = stalled[0] / 1e6;
            // A request every 2.5 ms waited for the rest of the stall. On one connection no request overtakes another.
            Numbers numbers = engineLoad.numbers();
            double mean = stall / 2 * (stall / 2.5) / 300;
            assertThat(numbers.latency(LatencyKind.RESPONSE).maxMillis()).isGreaterThan(0.99 * stall);
            assertThat(numbers.latency(LatencyKind.RESPONSE).meanMillis()).isGreaterThan(0.9 * mean);
            assertThat(numbers.latency(LatencyKind.RESPONSE).meanMillis()).isLessThan(stall);
            // The wait counts as backpressure. The lateness of this machine is a separate latency.
            assertThat(numbers.latency(LatencyKind.BACKPRESSURE).meanMillis()).isGreaterThan(0.8 * mean);
            assertThat(numbers.latency(LatencyKind.LATE).meanMillis()).isLessThan(mean / 2);
        }
    }

    @Test
    void connectionsAreSpreadOverAllServers() throws IOException {
        try (FakeServer one = new FakeServer((number, heard) -> WELL);
                FakeServer two = new FakeServer((number, heard) -> WELL)) {
            carry("rate: max, connections: 6, producers: 2", 600, one.url(), two.url());
            assertThat(one.connections).hasValue(4);
            assertThat(two.connections).hasValue(4);
            assertThat(one.heard.size() + two.heard.size()).isEqualTo(600);
        }
    }

    @Test
    void missingServerIsReportedBeforeTheFirstRequest() {
        assertThatThrownBy(() -> carry("rate: max", 1, "http://127.0.0.1:1"))
                .hasMessageStartingWith("connecting to http://127.0.0.1:1: ");
    }

    @Test
    void serverWithAnotherHttpVersionIsReportedBeforeTheFirstRequest() throws IOException {
        HttpServer old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        old.start();
        try {
            String url = "http://127.0.0.1:" + old.getAddress().getPort();
            assertThatThrownBy(() -> carry("rate: max, http: { version: 2 }", 1, url))
                    .hasMessage(url + " does not speak HTTP/2 without TLS; write load.http.version: 1.1");
        } finally {
            old.stop(0);
        }
    }

    private final QuietEngine quiet = new QuietEngine() {
        @Override
        public List<String> partitions() {
            return List.of("t-0");
        }

        /** A log without growth for a second counts as complete, so this test does not wait for it. */
        @Override
        public long[] logEnds() {
            if (skips.get()) {
                aheadNanos.addAndGet(1_000 * MILLI);
            }
            return ends();
        }

        @Override
        public Sender sender(int producer) {
            throw new AssertionError("the engine http sends");
        }

        @Override
        public void close() {}
    };
}
