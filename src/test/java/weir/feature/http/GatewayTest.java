package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.KnownToWork;
import weir.http.HttpRules;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.UnreadLimits;
import weir.http.RawClient;

@Timeout(30)
class GatewayTest {
    private static final RequestLimits USUAL = RequestLimits.DEFAULT;

    private GatewayUnderTest under = GatewayUnderTest.start();

    GatewayTest() throws IOException {}

    @AfterEach
    void close() {
        under.close();
    }

    private void restart(GatewayUnderTest next) {
        under.close();
        under = next;
    }

    private static GatewayUnderTest byHand(Map<String, String> properties) throws IOException {
        return new GatewayUnderTest(false, GatewayUnderTest.settings(properties, USUAL));
    }

    static RequestLimits limits(int body, Duration head, Duration whole, Duration idle, int connections) {
        return new RequestLimits(
                body,
                100,
                8 << 10,
                8 << 10,
                50,
                head,
                whole,
                idle,
                connections,
                16,
                20,
                8,
                Integer.MAX_VALUE,
                UnreadLimits.NONE);
    }

    private static RequestLimits small() {
        return limits(1_000, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10), 100);
    }

    private static void awaitSent(GatewayUnderTest under, int records) throws InterruptedException {
        while (under.producer.history().size() < records) {
            Thread.sleep(1);
        }
    }

    private static List<String> values(GatewayUnderTest under) {
        return under.producer.history().stream()
                .map(record -> record.value() == null ? "null" : new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void gatewayAnswersOnlyAfterTheAck() throws Exception {
        restart(byHand(Map.of()));
        CompletableFuture<HttpResponse<String>> answer = under.postAsync("hello");
        awaitSent(under, 1);
        assertThat(answer).isNotDone();
        under.producer.completeNext();
        assertThat(answer.get().statusCode()).isEqualTo(200);
        assertThat(answer.get().body()).isEqualTo("{\"partition\":0,\"offset\":0}\n");
        assertThat(values(under)).containsExactly("hello");
    }

    @Test
    void queueingGatewayAnswersBeforeTheAck() throws Exception {
        GatewaySettings settings =
                GatewayUnderTest.settings(Map.of(), GatewaySpec.Answer.QUEUED, USUAL, "", Path.of(""));
        restart(new GatewayUnderTest(false, settings));
        assertThat(under.post("hello").statusCode()).isEqualTo(202);
        awaitSent(under, 1);
        assertThat(under.gateway.counts()).containsEntry("requests", 1L).containsEntry("records_acked", 0L);
        under.producer.completeNext();
    }

    @Test
    void keyComesFromTheQueryAndHeadersFromTheRequest() throws Exception {
        String id = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
        HttpRequest request = under.request("/topics/orders?key=a%20b")
                .header("Record-Header-Id", id)
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        assertThat(under.send(request).statusCode()).isEqualTo(200);
        ProducerRecord<byte[], byte[]> record = under.producer.history().get(0);
        assertThat(record.key()).asString().isEqualTo("a b");
        assertThat(record.headers().lastHeader("id").value()).containsExactly(1, 2, 3);
    }

    @Test
    void eachLineBecomesARecordWithItsHeader() throws Exception {
        HttpResponse<String> answer = under.post(
                "one\ntwo\r\n\nthree", "Content-Type", "application/x-ndjson", "Record-Header-N", "MQ==, Mg==,,Mw==");
        assertThat(answer.body())
                .isEqualTo("{\"offsets\":[{\"partition\":0,\"offset\":0},{\"partition\":0,\"offset\":1},"
                        + "{\"partition\":0,\"offset\":2},{\"partition\":0,\"offset\":3}]}\n");
        assertThat(values(under)).containsExactly("one", "two", "", "three");
        assertThat(under.producer.history().get(3).headers().lastHeader("n").value())
                .asString()
                .isEqualTo("3");
    }

    @Test
    void framesMayHoldAnyBytes() throws Exception {
        ByteBuffer body = ByteBuffer.allocate(12)
                .putInt(3)
                .put(new byte[] {10, 0, 13})
                .putInt(0)
                .put((byte) 7);
        HttpRequest.Builder request =
                under.request("/topics/orders").header("Content-Type", "application/vnd.weir.frames");
        HttpResponse<String> torn = under.send(request.POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
                .build());
        assertThat(torn.statusCode()).isEqualTo(400);
        assertThat(torn.body()).contains("after frame 2 the body has only 1 bytes");
        assertThat(under.producer.history()).isEmpty();
        HttpResponse<String> whole =
                under.send(request.POST(HttpRequest.BodyPublishers.ofByteArray(body.array(), 0, 11))
                        .build());
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(under.producer.history().get(0).value()).containsExactly(10, 0, 13);
        assertThat(under.producer.history().get(1).value()).isEmpty();
    }

    @Test
    void restRecordsHaveTheFormatOfOtherBridges() throws Exception {
        assertThat(under.post(
                                "{\"records\":[{\"key\":\"a\",\"value\":{\"x\": [1.50, null]}},"
                                        + "{\"value\":\"text\",\"partition\":0}]}",
                                "Content-Type",
                                "application/vnd.kafka.json.v2+json; charset=utf-8")
                        .statusCode())
                .isEqualTo(200);
        assertThat(under.post(
                                "{\"records\":[{\"key\":\"QQ==\",\"value\":\"AAE=\","
                                        + "\"headers\":[{\"key\":\"weir\",\"value\":\"Ag==\"}]},{\"value\":null}]}",
                                "Content-Type",
                                "application/vnd.kafka.binary.v2+json")
                        .statusCode())
                .isEqualTo(200);
        List<ProducerRecord<byte[], byte[]>> sent = under.producer.history();
        assertThat(values(under).subList(0, 2)).containsExactly("{\"x\":[1.50,null]}", "\"text\"");
        assertThat(sent.get(0).key()).asString().isEqualTo("\"a\"");
        assertThat(sent.get(1).partition()).isZero();
        assertThat(sent.get(2).key()).asString().isEqualTo("A");
        assertThat(sent.get(2).value()).containsExactly(0, 1);
        assertThat(sent.get(2).headers().lastHeader("weir").value()).containsExactly(2);
        assertThat(sent.get(3).value()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/vnd.kafka.json.v2+json   | {\"records\":[]}                    | has no record",
                "application/vnd.kafka.json.v2+json   | {\"record\":[1]}                    | has no record",
                "application/vnd.kafka.json.v2+json   | {\"records\":[{\"value\":1}         | is not JSON with records",
                "application/vnd.kafka.json.v2+json   | {\"records\":[{\"value\":1}]} {}    | must have no more content",
                "application/vnd.kafka.json.v2+json   | {\"records\":[{\"partition\":-1}]}  | a partition of at least 0",
                "application/vnd.kafka.binary.v2+json | {\"records\":[{\"value\":\"***\"}]} | is not base64",
                "application/vnd.kafka.binary.v2+json | {\"records\":[{\"value\":7}]}       | text in base64",
                "application/vnd.kafka.json.v2+json   | [1]                                 | an object with",
                "application/vnd.weir.frames          | abcd                                | frame 1 must have",
                "application/x-ndjson                 | ''                                  | has no record",
            })
    void bodyWithoutRecordsIsRefusedAndKeepsItsConnection(String type, String body, String why) throws Exception {
        HttpResponse<String> answer = under.post(body, "Content-Type", type);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .startsWith("{\"error_code\":400,\"message\":\"")
                .contains(why.replace("\"", "\\\""));
        assertThat(under.producer.history()).isEmpty();
        assertThat(under.post("fine").statusCode()).isEqualTo(200);
        assertThat(under.gateway.counts()).containsEntry("connections", 1L);
    }

    @Test
    void batchWithTooManyRecordsIsRefused() throws Exception {
        restart(new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), small())));
        assertThat(under.post("\n".repeat(101), "Content-Type", "application/x-ndjson")
                        .statusCode())
                .isEqualTo(413);
        assertThat(under.producer.history()).isEmpty();
        assertThat(under.post("\n".repeat(100), "Content-Type", "application/x-ndjson")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void everyRecordOfABatchHasItsOwnAnswer() throws Exception {
        restart(byHand(Map.of()));
        CompletableFuture<HttpResponse<String>> answer =
                under.postAsync("one\ntwo", "Content-Type", "application/x-ndjson");
        awaitSent(under, 2);
        under.producer.completeNext();
        under.producer.errorNext(new NotLeaderOrFollowerException("moved"));
        assertThat(answer.get().statusCode()).isEqualTo(503);
        assertThat(answer.get().headers().firstValue("Retry-After")).hasValue("1");
        assertThat(answer.get().body())
                .isEqualTo("{\"offsets\":[{\"partition\":0,\"offset\":0},"
                        + "{\"error_code\":503,\"message\":\"moved\"}]}\n");
    }

    @Test
    void recordRefusedByBrokersIsAnsweredWith413() throws Exception {
        restart(byHand(Map.of()));
        CompletableFuture<HttpResponse<String>> answer = under.postAsync("x");
        awaitSent(under, 1);
        under.producer.errorNext(new RecordTooLargeException("1 byte is \"too\" large\n"));
        assertThat(answer.get().statusCode()).isEqualTo(413);
        assertThat(answer.get().body())
                .isEqualTo("{\"error_code\":413,\"message\":\"1 byte is \\\"too\\\" large\\u000a\"}\n");
    }

    @Test
    void answersLeaveInTheOrderOfTheRequests() throws Exception {
        try (GatewayUnderTest under = byHand(Map.of());
                RawClient raw = under.raw()) {
            String head = "POST /topics/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
            raw.send(head + "1\r\n\r\na" + "GET /counters HTTP/1.1\r\nHost: localhost\r\n\r\n" + head + "1\r\n\r\nb");
            awaitSent(under, 2);
            under.producer.completeNext();
            under.producer.completeNext();
            String answers = raw.answers(3);
            assertThat(answers.indexOf("\"offset\":0")).isPositive().isLessThan(answers.indexOf("\"requests\":"));
            assertThat(answers.indexOf("\"requests\":")).isLessThan(answers.indexOf("\"offset\":1"));
        }
    }

    @Test
    void fullGatewayStopsReadingAndRefusesAfterMaxBlock() throws Exception {
        Map<String, String> tight = Map.of("buffer.memory", "1000", "max.block.ms", "300");
        restart(byHand(tight));
        CompletableFuture<HttpResponse<String>> first = under.postAsync("x".repeat(900));
        awaitSent(under, 1);
        HttpResponse<String> second = under.post("y".repeat(200));
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(under.gateway.counts()).containsEntry("requests_full", 1L);
        CompletableFuture<HttpResponse<String>> third = under.postAsync("z".repeat(200));
        under.producer.completeNext();
        assertThat(first.get().statusCode()).isEqualTo(200);
        awaitSent(under, 2);
        under.producer.completeNext();
        assertThat(third.get().statusCode()).isEqualTo(200);
        assertThat(values(under)).containsExactly("x".repeat(900), "z".repeat(200));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /topics/nothing, 404",
        "POST, /topics/, 404",
        "POST, /, 404",
        "PUT, /topics/orders, 405",
        "DELETE, /topics/orders, 405",
        "GET, /topics/orders, 405",
        "POST, /healthz, 405",
        "POST, /topics/orders?key=%zz, 400",
        "POST, /topics/%zz, 400",
    })
    void requestForAnUnknownPathIsRefused(String method, String path, int status) throws Exception {
        try (RawClient raw = under.raw()) {
            String answer = raw.send(method + " " + path
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nConnection: close\r\n\r\na")
                    .readAll();
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(under.producer.history()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 5\\r\\nContent-Length: 6   | 400",
                "Content-Length: 5\\r\\nTransfer-Encoding: chunked | 400",
                "Content-Length: -1                         | 400",
                "Content-Length: 5x                         | 400",
                "Content-Length: 1001                       | 413",
                "Transfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n | 400",
                "Transfer-Encoding: chunked\\r\\n\\r\\nfffffff1\\r\\nabc | ",
                "Transfer-Encoding: chunked\\r\\n\\r\\n-1\\r\\nabc | 400",
            })
    void bodyWithTwoLengthsIsRefused(String headers, String status) throws Exception {
        RequestLimits limits =
                limits(1_000, Duration.ofSeconds(10), Duration.ofMillis(300), Duration.ofSeconds(10), 100);
        try (GatewayUnderTest under = new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), limits));
                RawClient raw = under.raw()) {
            raw.send("POST /topics/orders HTTP/1.1\r\nHost: localhost\r\n"
                    + headers.strip().replace("\\r\\n", "\r\n") + "\r\n\r\nabcdef");
            String answer = raw.readAll();
            assertThat(answer).startsWith("HTTP/1.1 " + (status == null ? "4" : status));
            assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
            assertThat(under.producer.history()).isEmpty();
        }
    }

    @Test
    void headersHaveALimit() throws Exception {
        restart(new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), small())));
        try (RawClient raw = under.raw()) {
            raw.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(9_000) + "\r\n\r\n");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 431 ");
        }
        try (RawClient raw = under.raw()) {
            raw.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + "X: x\r\n".repeat(51) + "\r\n");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 431 ");
        }
        try (RawClient raw = under.raw()) {
            raw.send("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n\r\n");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 414 ");
        }
    }

    @Test
    void slowClientIsDisconnected() throws Exception {
        RequestLimits limits =
                limits(1_000, Duration.ofMillis(200), Duration.ofMillis(300), Duration.ofMillis(400), 100);
        restart(new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), limits)));
        try (RawClient raw = under.raw()) {
            raw.send("POST /topics/orders HT");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 408 ").contains("connection: close");
        }
        try (RawClient raw = under.raw()) {
            assertThat(raw.readAll()).isEmpty();
        }
        try (RawClient raw = under.raw()) {
            raw.send("POST /topics/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 408 ");
        }
        try (RawClient raw = under.raw()) {
            raw.send("POST /topics/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 200 ");
        }
        assertThat(values(under)).containsExactly("a");
    }

    @Test
    void connectionAboveTheLimitIsClosed() throws Exception {
        RequestLimits limits = limits(1_000, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10), 1);
        try (GatewayUnderTest under = new GatewayUnderTest(false, GatewayUnderTest.settings(Map.of(), limits));
                RawClient first = under.raw()) {
            first.send("POST /topics/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na");
            awaitSent(under, 1);
            try (RawClient second = under.raw()) {
                assertThat(second.readAll()).isEmpty();
            }
            under.producer.completeNext();
            first.send("GET /counters HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(first.answers(2)).contains("\"connections\":1");
        }
    }

    @Test
    void requestWithoutTokenIsAnsweredWith401ButHealthIsOpen() throws Exception {
        GatewaySettings settings =
                GatewayUnderTest.settings(Map.of(), GatewaySpec.Answer.ACKED, USUAL, "s3cret", Path.of(""));
        restart(new GatewayUnderTest(true, settings));
        assertThat(under.post("x").statusCode()).isEqualTo(401);
        assertThat(under.post("x", "Authorization", "Bearer s3cres").statusCode())
                .isEqualTo(401);
        assertThat(under.get("/metrics").headers().firstValue("WWW-Authenticate"))
                .isPresent();
        assertThat(under.get("/healthz").body()).isEqualTo("ok\n");
        int port = under.gateway.address().getPort();
        assertThat(HttpRules.answer(port, "OPTIONS / HTTP/1.0\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(HttpRules.answer(port, "OPTIONS /counters HTTP/1.0\r\n")).startsWith("HTTP/1.1 401 ");
        assertThat(under.post("x", "Authorization", "bearer s3cret").statusCode())
                .isEqualTo(200);
        assertThat(values(under)).containsExactly("x");
        assertThat(settings.toString()).doesNotContain("s3cret");
    }

    @Test
    void countersAreServedAsJsonAndForPrometheus() throws Exception {
        under.post("12345");
        under.post("{", "Content-Type", "application/vnd.kafka.json.v2+json");
        assertThat(under.get("/counters").body())
                .isEqualTo("{\"bytes\":5,\"connections\":1,\"records\":1,\"records_acked\":1,\"records_failed\":0,"
                        + "\"requests\":1,\"requests_full\":0,\"requests_refused\":1}\n");
        assertThat(under.get("/metrics").body())
                .contains("# TYPE weir_gateway_requests_total counter\nweir_gateway_requests_total 1\n")
                .contains("# TYPE weir_gateway_connections gauge\nweir_gateway_connections 1\n");
    }

    @Test
    void closingGatewayAnswersAcceptedRequests() throws Exception {
        GatewayUnderTest under = byHand(Map.of());
        CompletableFuture<HttpResponse<String>> taken = under.postAsync("x");
        try (RawClient idle = under.raw();
                RawClient half = under.raw()) {
            half.send("POST /topics/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na");
            awaitSent(under, 1);
            while (under.gateway.counts().getOrDefault("connections", 0L) < 3) {
                Thread.sleep(1);
            }
            Thread closing = new Thread(under::close);
            closing.start();
            assertThat(idle.readAll()).isEmpty();
            half.send("b");
            awaitSent(under, 2);
            assertThat(taken).isNotDone();
            under.producer.completeNext();
            under.producer.completeNext();
            assertThat(taken.get().statusCode()).isEqualTo(200);
            assertThat(half.readAll()).startsWith("HTTP/1.1 200 ").contains("connection: close");
            closing.join(TimeUnit.SECONDS.toMillis(10));
            assertThat(closing.isAlive()).isFalse();
            assertThatThrownBy(under::raw).isInstanceOf(ConnectException.class);
            assertThat(under.producer.closed()).isTrue();
        }
    }

    @Test
    void concurrentRequestsAreAllAnswered() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            answers.add(under.postAsync("record " + i));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(values(under)).doesNotHaveDuplicates().hasSize(500);
        assertThat(HttpClient.Version.HTTP_1_1).isEqualTo(answers.get(0).get().version());
    }

    @Test
    @KnownToWork("HTTP client: HTTP/1.0 with keep-alive, as ab -k sends it")
    void gatewayFollowsTheCommonHttpRules() throws Exception {
        HttpRules.holdAt(under.gateway.address().getPort(), "/counters", "/topics/orders");
        assertThat(under.producer.history()).isEmpty();
    }

    @Test
    void everyFormOfHealthProbeIsAnswered() throws Exception {
        int port = under.gateway.address().getPort();
        for (String probe : List.of(
                "HEAD /healthz HTTP/1.0\r\n",
                "OPTIONS / HTTP/1.0\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n",
                "GET /healthz HTTP/1.1\r\nHost: gateways.example\r\n",
                "GET /healthz?from=haproxy HTTP/1.0\r\n")) {
            assertThat(HttpRules.answer(port, probe)).as(probe).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void unknownOrRepeatedQueryParameterIsRefused() throws Exception {
        HttpRequest.Builder twice = under.request("/topics/orders?key=a&key=b");
        HttpResponse<String> refused =
                under.send(twice.POST(HttpRequest.BodyPublishers.ofString("x")).build());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("the query has 'key' more than once");
        HttpResponse<String> unknown = under.send(under.request("/topics/orders?partition=1")
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build());
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("the query has 'partition', but this path takes only key");
        assertThat(under.get("/metrics?name=x").statusCode()).isEqualTo(400);
        assertThat(under.producer.history()).isEmpty();
    }

    @Test
    void requestForAMissingTopicKeepsItsConnection() throws Exception {
        try (RawClient raw = under.raw()) {
            String head = " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n";
            raw.send("POST /topics/nothing" + head + "a" + "POST /topics/orders" + head + "b");
            assertThat(raw.answers(2)).contains("HTTP/1.1 404 ").contains("HTTP/1.1 200 ");
            assertThat(values(under)).containsExactly("b");
        }
    }

    @Test
    void silentClientsDoNotBlockOtherConnections() throws Exception {
        restart(new GatewayUnderTest(true, GatewayUnderTest.settings(Map.of(), small())));
        HttpRules.silentClientsTakeNoPlace(under.gateway.address(), small().connections(), "/healthz");
    }

    private static final String REST = "application/vnd.kafka.json.v2+json";

    @Test
    void recordForAMissingPartitionIsRefusedAtOnce() throws Exception {
        HttpResponse<String> refused = under.post(
                "{\"records\":[{\"value\":1},{\"value\":2,\"partition\":" + GatewayUnderTest.PARTITIONS + "}]}",
                "Content-Type",
                REST);
        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(refused.body()).contains("for topic 'orders' must be between 0 and 2, found '3'");
        assertThat(under.producer.history()).isEmpty();
        assertThat(under.post("fine").statusCode()).isEqualTo(200);
    }

    @Test
    void failedPartitionLookupIsAnsweredWithItsReason() throws Exception {
        Map<Exception, Integer> statuses = Map.of(
                new UnknownTopicOrPartitionException("no such topic"), 404,
                new TopicAuthorizationException("not yours"), 403,
                new TimeoutException("late"), 503,
                new IllegalStateException("broken"), 500);
        for (Map.Entry<Exception, Integer> each : statuses.entrySet()) {
            under.numbers.add(CompletableFuture.failedFuture(new CompletionException(each.getKey())));
            HttpResponse<String> refused =
                    under.post("{\"records\":[{\"value\":1,\"partition\":0}]}", "Content-Type", REST);
            assertThat(refused.statusCode()).isEqualTo(each.getValue());
            assertThat(refused.body())
                    .contains(
                            each.getValue() == 503
                                    ? "the brokers do not answer"
                                    : each.getKey().getMessage());
        }
        assertThat(under.producer.history()).isEmpty();
    }

    @Test
    void requestsForAnUnknownTopicTimeOutWithoutMarkingTheClusterDown() throws Exception {
        Duration timeout = Duration.ofMillis(500);
        restart(byHand(Map.of("max.block.ms", String.valueOf(timeout.toMillis()))));
        under.unknown.add(GatewayUnderTest.TOPIC);
        long begun = System.nanoTime();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(under.postAsync("x"));
        }
        answers.add(under.postAsync("x\n".repeat(20), "Content-Type", "application/x-ndjson"));
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(503);
            assertThat(answer.get().body())
                    .contains("the brokers did not accept the record within 500 ms: not present in metadata");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(timeout.multipliedBy(5));
        assertThat(under.get("/healthz").statusCode()).isEqualTo(200);
        under.unknown.clear();
        CompletableFuture<HttpResponse<String>> again = under.postAsync("again");
        awaitSent(under, 1);
        under.producer.completeNext();
        assertThat(again.get().statusCode()).isEqualTo(200);
    }

    @Test
    void gatewayRefusesRequestsAfterATimeoutUntilABrokerAnswers() throws Exception {
        restart(byHand(Map.of()));
        for (RuntimeException fault :
                List.of(new BufferExhaustedException("no memory"), new TimeoutException("expired"))) {
            assertThat(under.get("/healthz").statusCode()).isEqualTo(200);
            CompletableFuture<HttpResponse<String>> failed = under.postAsync("x");
            while (!under.producer.errorNext(fault)) {
                Thread.sleep(1);
            }
            assertThat(failed.get().statusCode()).isEqualTo(503);
        }
        assertThat(under.get("/healthz").statusCode()).isEqualTo(503);
        HttpResponse<String> refused = under.post("at once");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("the brokers do not answer");
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(under.gateway.counts()).containsEntry("requests_full", 0L).containsEntry("requests_refused", 1L);
        under.counters.availability.answered();
        assertThat(under.get("/healthz").statusCode()).isEqualTo(200);
        under.producer.clear();
        CompletableFuture<HttpResponse<String>> again = under.postAsync("again");
        awaitSent(under, 1);
        under.producer.completeNext();
        assertThat(again.get().statusCode()).isEqualTo(200);
    }

    @Test
    void unknownTopicKeepsItsOrderAndDoesNotBlockOthers() throws Exception {
        under.unknown.add("others");
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (String value : List.of("a", "b")) {
            HttpRequest request = under.request("/topics/others")
                    .POST(HttpRequest.BodyPublishers.ofString(value))
                    .build();
            held.add(under.client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            long taken = held.size();
            while (under.gateway.counts().getOrDefault("requests", 0L) < taken) {
                Thread.sleep(1);
            }
        }
        assertThat(under.post("x").statusCode()).isEqualTo(200);
        assertThat(held).noneMatch(CompletableFuture::isDone);
        under.unknown.clear();
        for (CompletableFuture<HttpResponse<String>> answer : held) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        assertThat(values(under)).containsExactly("x", "a", "b");
        assertThat(under.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void closingGatewayRefusesBlockedRequests() throws Exception {
        GatewayUnderTest under = byHand(Map.of());
        under.unknown.add(GatewayUnderTest.TOPIC);
        CompletableFuture<HttpResponse<String>> stuck = under.postAsync("x");
        while (under.gateway.counts().getOrDefault("requests", 0L) < 1) {
            Thread.sleep(1);
        }
        long begun = System.nanoTime();
        under.gateway.close(Duration.ofMillis(300));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        assertThat(stuck.get().statusCode()).isEqualTo(503);
        assertThat(stuck.get().body()).contains("this server is stopping");
    }
}
