package weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerContext;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.plan.RecordKeys;

/** The times of messages on one connection, on the test's clock. */
class ConnectionTimesTest {
    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = HEAD.dividedBy(4);

    private static final RequestLimits LIMITS = RecordKeys.with(
            RequestLimits.DEFAULT,
            Map.of("headTime", HEAD, "idleTime", Duration.ofSeconds(90), "streams", 0, "requests", 3));

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int KEPT = 1 << 20;

    private static final String STREAM = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            + "HTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\nCONTENT-LENGTH:0\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0a;x=y\r\n0123456789\r\n0\r\nX: y\r\n\r\n"
            + "HTTP/1.1 204 No Content\r\n\r\n"
            + "HTTP/1.1 202 Accepted\nContent-Length: 2\n\n{}"
            + "HTTP/1.1 200 OK\r\nConnection: close\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\nto the end";

    private static final List<String> ANSWERS = List.of(
            "200 hello -1 true",
            "503  2 true",
            "200 abc0123456789 -1 true",
            "204  -1 true",
            "202 {} -1 true",
            "200 to the end -1 false");

    private final MockTicker clock = Ticker.newMockTicker();
    private final EmbeddedChannel channel = connection();

    private EmbeddedChannel connection() {
        ServerSettings settings = new ServerSettings(LIMITS, new Access("", Set.of()), Duration.ZERO, Optional.empty());
        ServerContext context = new ServerContext(
                settings, new Looked(), new ByteBudget(0), new ServerCounters(), new ConcurrentHashMap<>());
        return EmbeddedChannel.builder()
                .ticker(clock)
                .handlers(new ConnectionSetup(context))
                .build();
    }

    private static final class Looked implements RequestService {
        @Override
        public Resource resource(String path) {
            return Resource.LOOK;
        }

        @Override
        public Task begin(HttpHead head) throws Refusal {
            throw full();
        }

        @Override
        public void answerQuery(HttpHead head, Reply reply) {
            reply.answer(Answers.empty(HttpResponseStatus.OK));
        }

        @Override
        public Refusal full() {
            return Refusal.bad("no path takes a body");
        }
    }

    private void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    }

    private boolean openAfter(Duration time) {
        for (long nanos = 0; nanos < time.toNanos(); nanos += POLL_INTERVAL.toNanos()) {
            clock.advance(POLL_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }
        return channel.isOpen();
    }

    private String answers() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.append(next.toString(StandardCharsets.UTF_8));
            next.release();
        }
        return all.toString();
    }

    @Test
    void connectionWithoutARequestIsClosed() {
        assertThat(openAfter(HEAD)).isTrue();
        assertThat(openAfter(POLL_INTERVAL)).isFalse();
    }

    @Test
    void clientThatSendsItsHeadTooSlowlyGetsAnAnswer() {
        for (int i = 0; i < 5; i++) {
            send("GET /".substring(i, i + 1));
            openAfter(POLL_INTERVAL);
        }
        assertThat(answers()).startsWith("HTTP/1.1 408 ").contains("connection: close");
    }

    @Test
    void connectionMayRestBetweenRequests() {
        send(REQUEST);
        assertThat(openAfter(Duration.ofSeconds(60))).isTrue();
        send(REQUEST);
        assertThat(openAfter(Duration.ofSeconds(60))).isTrue();
        assertThat(openAfter(Duration.ofSeconds(60))).isFalse();
    }

    @Test
    void lastAllowedRequestEndsItsConnection() {
        send(REQUEST.repeat(2));
        assertThat(answers()).contains("200 OK").doesNotContain("connection: close");
        send(REQUEST.repeat(2));
        assertThat(answers()).containsOnlyOnce("200 OK").contains("connection: close");
    }

    private static String shown(HttpAnswer answer) {
        return answer.status() + " " + new String(answer.body(), 0, answer.length(), StandardCharsets.US_ASCII) + " "
                + answer.retryAfterSeconds() + " " + answer.keepAlive;
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    /** Reads the stream in pieces of this size. Incomplete bytes stay for the next piece. */
    private static List<String> read(int piece) throws MessageReader.Malformed {
        MessageReader reader = MessageReader.ofAnswers(KEPT);
        List<String> answers = new ArrayList<>();
        ByteBuf in = Unpooled.buffer();
        for (int from = 0; from < STREAM.length(); from += piece) {
            in.writeBytes(bytes(STREAM.substring(from, Math.min(STREAM.length(), from + piece))));
            while (reader.read(in)) {
                answers.add(shown(reader.answer()));
            }
            in.discardReadBytes();
        }
        assertThat(reader.closed()).isTrue();
        answers.add(shown(reader.answer()));
        return answers;
    }

    @Test
    void fragmentedAnswersAreParsedEqually() throws MessageReader.Malformed {
        for (int piece = 1; piece <= STREAM.length(); piece++) {
            assertThat(read(piece)).as("in pieces of %d", piece).isEqualTo(ANSWERS);
        }
    }

    @Test
    void aLongBodyIsReadToItsEndAndKeptInPart() throws MessageReader.Malformed {
        int length = 3 << 20;
        MessageReader reader = MessageReader.ofAnswers(KEPT);
        ByteBuf in = bytes("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(length) + "rest");
        assertThat(reader.read(in)).isTrue();
        assertThat(reader.answer().length()).isEqualTo(KEPT);
        assertThat(in.toString(StandardCharsets.US_ASCII)).isEqualTo("rest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1234567890123456789\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            })
    void whatIsNoAnswerIsSaidToBeNone(String text) {
        assertThatThrownBy(() -> MessageReader.ofAnswers(KEPT).read(bytes(text)))
                .isInstanceOf(MessageReader.Malformed.class);
    }

    @Test
    void aLineWithoutEndIsNotKept() {
        assertThatThrownBy(() -> MessageReader.ofAnswers(KEPT).read(bytes("HTTP/1.1 200 " + "x".repeat(70_000))))
                .isInstanceOf(MessageReader.Malformed.class);
    }
}
