package weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import weir.http.LiveServer.LiveHandler;

/**
 * A server on loopback and its clients of all kinds. Also clients that read when they are flushed, and one limit for
 * all of them.
 */
class LiveServerTest {
    private static final String TOKEN = "a-long-secret";
    private static final byte[] LARGE = "0123456789".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);

    private final AtomicInteger asked = new AtomicInteger();
    private final EventStream events = new EventStream(1_000);

    private final Map<String, LiveHandler> paths = Map.of(
            "/",
                    request -> {
                        asked.incrementAndGet();
                        return LiveAnswer.packed(
                                "text/html", ("page of " + request.query()).getBytes(StandardCharsets.UTF_8));
                    },
            "/large", request -> LiveAnswer.packed("text/plain", LARGE),
            "/stop",
                    new LiveHandler() {
                        @Override
                        public LiveAnswer answer(LiveRequest request) {
                            return LiveAnswer.line(202, "done");
                        }

                        @Override
                        public Resource resource() {
                            return Resource.of("POST");
                        }
                    },
            "/broken",
                    request -> {
                        throw new IllegalStateException("planted");
                    },
            "/events", request -> new LiveAnswer.Events(events, Long.parseLong("0" + request.header("last-event-id"))));

    private LiveServer server = start("");
    private final ConnectionSetup.UnreadAnswers limit = new ConnectionSetup.UnreadAnswers(100);
    private final EmbeddedChannel first = new EmbeddedChannel(limit);
    private final EmbeddedChannel second = new EmbeddedChannel(limit);
    private final EmbeddedChannel third = new EmbeddedChannel(limit);

    private LiveServer start(String token) {
        try {
            return LiveServer.start(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, paths, List.of(events));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String host() {
        return "127.0.0.1:" + server.address().getPort();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://" + host() + path)).timeout(Duration.ofSeconds(10));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the first line of the answer to a raw request. */
    private String status(String request) throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            return client.send(request).readTo("\r\n").strip();
        }
    }

    @Test
    void pageHasHeadersAgainstCachingAndFraming() throws IOException, InterruptedException {
        HttpResponse<String> answer = get("/?a=1&b=x%20y");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("page of {a=1, b=x y}");
        assertThat(answer.headers().map())
                .containsAllEntriesOf(Map.of(
                        "cache-control", List.of("no-store"),
                        "x-content-type-options", List.of("nosniff"),
                        "cross-origin-resource-policy", List.of("same-origin"),
                        "content-security-policy", List.of("frame-ancestors 'none'")));
        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(get("/nowhere").body()).contains("the paths are /, /broken, /events, /large, /stop");
    }

    @Test
    void failingHandlerEndsOnlyItsRequest() throws IOException, InterruptedException {
        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/broken").body()).doesNotContain("planted");
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void largeAnswerIsCompressedIfTheClientAcceptsGzip() throws IOException, InterruptedException {
        HttpResponse<String> packed = get("/large", "Accept-Encoding", "gzip");
        assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");
        assertThat(packed.headers().firstValueAsLong("content-length").orElse(0))
                .isLessThan(LARGE.length / 50);
        assertThat(get("/large").body()).hasSize(LARGE.length);
        assertThat(get("/", "Accept-Encoding", "gzip").headers().firstValue("content-encoding"))
                .isEmpty();
    }

    @Test
    void dnsRebindingHostNameIsRefused() throws IOException {
        assertThat(status("GET / HTTP/1.1\r\nHost: attacker.example\r\n\r\n")).contains("421");
        assertThat(status("GET / HTTP/1.1\r\nHost: 127.0.0.1.attacker.example:80\r\n\r\n"))
                .contains("421");
        assertThat(status("GET / HTTP/1.1\r\n\r\n")).contains("400");
        assertThat(asked).hasValue(0);
        assertThat(status("GET / HTTP/1.1\r\nHost: LocalHost:81\r\n\r\n")).contains("200");
        assertThat(status("GET / HTTP/1.1\r\nHost: [::1]:81\r\n\r\n")).contains("200");
    }

    @Test
    void crossSiteRequestsAreRefusedOnEveryPath() throws IOException {
        for (String path : List.of("/", "/large", "/events", "/nowhere")) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\n";
            assertThat(status(request + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n\r\n"))
                    .contains("403");
            assertThat(status(request + "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n\r\n"))
                    .contains("403");
            assertThat(status(request + "Origin: http://attacker.example\r\n\r\n"))
                    .contains("403");
            assertThat(status(request + "Origin: null\r\n\r\n")).contains("403");
        }
        assertThat(asked).hasValue(0);
        assertThat(events.clients()).isZero();
        String page = "GET / HTTP/1.1\r\nHost: " + host() + "\r\n";
        assertThat(status(page + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document"
                        + "\r\n\r\n"))
                .as("a link that its user follows")
                .contains("200");
        assertThat(status(page + "Sec-Fetch-Site: none\r\n\r\n")).contains("200");
        assertThat(status(page + "Sec-Fetch-Site: same-origin\r\nOrigin: http://" + host() + "\r\n\r\n"))
                .contains("200");
    }

    @Test
    void anAnswerIsAwaitedUntilItsClientHasTakenIt() throws IOException {
        assertThat(server.awaitAnswers(Duration.ofSeconds(10))).isTrue();
        try (RawClient client = new RawClient(server.address(), 4 << 10)) {
            client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .readTo("\r\n\r\n");
            assertThat(server.awaitAnswers(Duration.ofMillis(30))).isFalse();
            assertThat(client.readAll()).hasSize(LARGE.length);
            assertThat(server.awaitAnswers(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void clientThatReadsNothingForThreeHeartbeatsIsDropped() throws IOException {
        try (RawClient asleep = new RawClient(server.address(), 4 << 10);
                RawClient awake = new RawClient(server.address())) {
            asleep.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").readTo("retry: 1000");
            while (events.clients() < 1) {
                Thread.onSpinWait();
            }
            events.publish("state", "x".repeat(1 << 20));
            awake.send("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n\r\n")
                    .readTo("retry: 1000\n\n");
            while (events.clients() < 2) {
                Thread.onSpinWait();
            }
            for (int beat = 0; beat < 4; beat++) {
                assertThat(events.clients()).isEqualTo(2);
                events.heartbeat();
                awake.readTo(":\n\n");
            }
            while (events.clients() > 1) {
                Thread.onSpinWait();
            }
            events.publish("state", "{}");
            awake.readTo("data: {}");
        }
    }

    @Test
    void requestWithTokenIsAcceptedForAnyHostName() throws IOException, InterruptedException {
        server.close();
        server = start(TOKEN);
        HttpResponse<String> refused = get("/");
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("www-authenticate"))
                .contains("Basic realm=\"weir\", charset=\"UTF-8\"");
        assertThat(get("/", "Authorization", "Bearer " + TOKEN + "x").statusCode())
                .isEqualTo(401);
        assertThat(get("/", "Authorization", "Basic %%%").statusCode()).isEqualTo(401);
        assertThat(asked).hasValue(0);
        assertThat(get("/", "Authorization", "bearer " + TOKEN).statusCode()).isEqualTo(200);
        String pair = Base64.getEncoder().encodeToString(("anybody:" + TOKEN).getBytes(StandardCharsets.UTF_8));
        assertThat(get("/", "Authorization", "Basic " + pair).statusCode()).isEqualTo(200);
        assertThat(status("GET / HTTP/1.1\r\nHost: lab.example\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n"))
                .contains("200");
    }

    @Test
    void anAddressForOtherMachinesNeedsAToken() {
        assertThatThrownBy(() -> LiveServer.start(new InetSocketAddress("0.0.0.0", 0), "", paths, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can be reached by other machines");
    }

    @Test
    void takenPortIsReportedInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
            assertThatThrownBy(() -> LiveServer.start(at, "", paths, List.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("'127\\.0\\.0\\.1:\\d+' cannot be used: .*Address already in use");
        }
    }

    @Test
    void aRequestThatIsTooLongOrNoneEndsItsConnection() throws IOException {
        String end = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assertThat(status("GET /" + "x".repeat(5_000) + end)).contains("414");
        assertThat(status("GET / HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"))
                .contains("431");
        assertThat(status("GET / HTTP/1.1\r\nHost: localhost\r\n" + "X: y\r\n".repeat(200) + "\r\n"))
                .contains("431");
        assertThat(status("PUT /" + end)).contains("405");
        assertThat(status("SSH-2.0-OpenSSH_9.2\r\n\r\n")).contains("400");
        try (RawClient client = new RawClient(server.address())) {
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n" + "x".repeat(9_000));
            assertThat(client.readAll()).contains("413").contains("connection: close");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void requestsOfOneConnectionAreAnsweredInTheirOrder() throws IOException {
        try (RawClient client = new RawClient(server.address())) {
            String more = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            client.send("GET /?n=1" + more + "GET /?n=2" + more + "HEAD /?n=3" + more
                    + "GET /?n=4 HTTP/1.0\r\nHost: localhost\r\n\r\n");
            assertThat(client.readAll())
                    .containsSubsequence("{n=1}", "{n=2}", "content-length: 13", "{n=4}")
                    .doesNotContain("{n=3}");
        }
    }

    @Test
    void connectionsAboveTheLimitAreClosed() throws IOException {
        List<RawClient> many = new ArrayList<>();
        for (int i = 0; i < LiveServer.CONNECTIONS; i++) {
            many.add(listen(""));
        }
        try (RawClient more = new RawClient(server.address())) {
            assertThat(more.readAll()).isEmpty();
        }
        for (RawClient client : many) {
            client.close();
        }
    }

    /** The server needs a few dozen megabytes, not a buffer for each client. */
    @Test
    void clientsThatNeverReadAreDroppedForThoseWhoDo() throws IOException {
        List<RawClient> silent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            silent.add(new RawClient(server.address(), 4 << 10).send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        }
        silent.get(5).readTo("\r\n\r\n");
        try (RawClient reads = new RawClient(server.address())) {
            reads.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(reads.readAll()).hasSizeGreaterThan(LARGE.length);
        }
        assertThat(silent.get(0).readAll().length()).isLessThan(LARGE.length);
        for (RawClient client : silent) {
            client.close();
        }
    }

    private static String next(RawClient client) throws IOException {
        return client.readTo("\n\n").replaceAll("(?s)^.*?(id|retry)", "$1").strip();
    }

    private RawClient listen(String lastEvent) throws IOException {
        String header = lastEvent.isEmpty() ? "" : "Last-Event-ID: " + lastEvent + "\r\n";
        RawClient client = new RawClient(server.address());
        client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n");
        assertThat(next(client)).isEqualTo("retry: 1000");
        return client;
    }

    @Test
    void clientGetsTheEventsAfterItsLastEventId() throws IOException {
        events.publish("second", "1");
        events.publish("second", "2");
        try (RawClient late = listen("");
                RawClient back = listen("1")) {
            assertThat(next(late)).isEqualTo("id: 1\nevent: second\ndata: 1");
            assertThat(next(late)).isEqualTo("id: 2\nevent: second\ndata: 2");
            assertThat(next(back)).isEqualTo("id: 2\nevent: second\ndata: 2");
            events.publish("second", "3");
            assertThat(next(late)).isEqualTo("id: 3\nevent: second\ndata: 3");
            assertThat(next(back)).isEqualTo("id: 3\nevent: second\ndata: 3");
        }
    }

    @Test
    void clientThatMissedDiscardedEventsGetsAReset() throws IOException {
        for (int i = 1; i <= 100; i++) {
            events.publish("second", "x".repeat(40));
        }
        try (RawClient late = listen("3");
                RawClient fromAnotherRun = listen("4711")) {
            assertThat(next(late)).isEqualTo("id: 100\nevent: reset\ndata: {}");
            assertThat(next(fromAnotherRun)).isEqualTo("id: 100\nevent: reset\ndata: {}");
        }
        assertThat(events.has(99)).isTrue();
        assertThat(events.has(3)).isFalse();
    }

    @Test
    void anEventIsOneLine() {
        assertThatThrownBy(() -> events.publish("second", "1\n\nevent: forged"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Unread bytes fill the kernel's buffers, then Weir's. Publishing never waits. */
    @Test
    void aClientThatStopsReadingIsDropped() throws IOException, InterruptedException {
        try (RawClient slow = new RawClient(server.address(), 4_096)) {
            slow.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").readTo("retry: 1000\n\n");
            while (events.clients() < 1) {
                Thread.onSpinWait();
            }
            String data = "x".repeat(1 << 18);
            for (int published = 0; published < 2_000; published++) {
                events.publish("second", data);
            }
            // The event loop closes the connection later.
            for (int waits = 0; events.clients() > 0 && waits < 10_000; waits++) {
                Thread.sleep(1);
            }
            assertThat(events.clients()).isZero();
        }
    }

    @Test
    void onlyTheOwnPageHasTheSameOrigin() {
        assertThat(same(Map.of(
                        "Host", "127.0.0.1:80", "Origin", "http://127.0.0.1:80", "Sec-Fetch-Site", "same-origin")))
                .isTrue();
        assertThat(same(Map.of("Host", "127.0.0.1:80"))).as("no browser").isTrue();
        assertThat(same(Map.of("Host", "127.0.0.1:80", "Origin", "http://127.0.0.1:81")))
                .isFalse();
        assertThat(same(Map.of("Host", "127.0.0.1:80", "Origin", "null"))).isFalse();
        assertThat(same(Map.of("Host", "127.0.0.1:80", "Sec-Fetch-Site", "cross-site")))
                .isFalse();
        assertThat(same(Map.of("Host", "127.0.0.1:80", "Sec-Fetch-Site", "same-site")))
                .isFalse();
    }

    private static boolean same(Map<String, String> headers) {
        SortedMap<String, String> lower = new TreeMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        return new LiveRequest("POST", "/stop", new TreeMap<>(), lower).sameOrigin();
    }

    @Test
    void liveServerFollowsTheCommonHttpRules() throws IOException {
        HttpRules.holdAt(server.address().getPort(), "/large", "/stop");
        HttpRules.silentClientsTakeNoPlace(server.address(), LiveServer.CONNECTIONS, "/");
    }

    private static void write(EmbeddedChannel client, int bytes) {
        var unused = client.write(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    @Test
    void theClientThatHasNotReadForLongestIsDropped() {
        write(first, 40);
        write(second, 40);
        write(first, 10);
        write(third, 40);
        assertThat(first.isOpen()).isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(third.isOpen()).isTrue();
        write(third, 20);
        assertThat(second.isOpen()).as("a hundred are allowed").isTrue();
    }

    @Test
    void slowestReaderIsDroppedAndActiveReaderStays() {
        write(first, 40);
        write(second, 40);
        first.flush();
        write(first, 40);
        write(third, 40);
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void answerAboveTheWholeBudgetClosesOnlyItsConnection() {
        write(first, 101);
        assertThat(first.isOpen()).isFalse();
        write(second, 100);
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void onlyAClientWithSomethingUnreadMakesRoomForAnother() {
        write(first, 1);
        first.flush();
        assertThat(limit.dropLongest()).isFalse();
        write(second, 1);
        assertThat(limit.dropLongest()).isTrue();
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }
}
