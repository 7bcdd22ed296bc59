package weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerContext;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.HttpServer.UnreadLimits;

/** One connection on a clock that only the test turns. */
class ConnectionTimesTest {
    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration GLANCE = HEAD.dividedBy(4);
    private static final RequestLimits LIMITS = new RequestLimits(
            1_000,
            10,
            1_000,
            1_000,
            10,
            HEAD,
            HEAD,
            Duration.ofSeconds(90),
            10,
            0,
            0,
            10,
            3,
            new UnreadLimits(Duration.ofSeconds(30), 0, 0));
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final MockTicker clock = Ticker.newMockTicker();
    private final EmbeddedChannel channel = connection();

    private EmbeddedChannel connection() {
        ServerSettings settings = new ServerSettings("", 0, LIMITS, new Access("", Set.of()), Duration.ZERO);
        ServerContext context = new ServerContext(
                settings,
                new Looked(),
                new ByteBudget(0),
                new ServerCounters(),
                new Places(LIMITS.connections()),
                new ConcurrentHashMap<>());
        return EmbeddedChannel.builder()
                .ticker(clock)
                .handlers(new ConnectionSetup(context, Optional.empty()))
                .build();
    }

    /** A service that has only one answer. */
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
        public void look(HttpHead head, Reply reply) {
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
        for (long nanos = 0; nanos < time.toNanos(); nanos += GLANCE.toNanos()) {
            clock.advance(GLANCE.toNanos(), TimeUnit.NANOSECONDS);
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
        assertThat(openAfter(GLANCE)).isFalse();
    }

    @Test
    void clientThatSendsItsHeadTooSlowlyGetsAnAnswer() {
        for (int i = 0; i < 5; i++) {
            send("GET /".substring(i, i + 1));
            openAfter(GLANCE);
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
}
