package weir.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.HttpServer.UnreadLimits;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * An HTTP server with one thread, for use during a measurement. Limits on connections, requests and unread answers keep
 * its cost low. The limit on unread bytes of a client must exceed the stored events of each stream.
 */
// The heartbeat ends with the event loop.
@SuppressWarnings("FutureReturnValueIgnored")
public final class LiveServer implements AutoCloseable {
    static final int CONNECTIONS = 64;
    private static final RequestLimits LIMITS = new RequestLimits(
            1 << 10,
            0,
            4 << 10,
            16 << 10,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(90),
            CONNECTIONS,
            0,
            0,
            64,
            10_000,
            new UnreadLimits(Duration.ofSeconds(30), 4 << 20, 32 << 20));
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final long HEARTBEAT_SECONDS = 10;

    private final InetSocketAddress asked;
    private final EventLoopGroup loop;
    private final HttpServer server;

    private LiveServer(InetSocketAddress asked, EventLoopGroup loop, HttpServer server) {
        this.asked = asked;
        this.loop = loop;
        this.server = server;
    }

    /**
     * Starts the server; returns when clients can connect.
     *
     * @param address port 0 takes any free port
     * @param token the token that each request must contain; empty is allowed only on loopback
     * @param streams the event streams of these paths, which need a heartbeat
     * @throws IOException with a reason of one line if it cannot listen
     */
    public static LiveServer start(
            InetSocketAddress address, String token, Map<String, LiveHandler> paths, List<EventStream> streams)
            throws IOException {
        if (token.isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(address + " can be reached by other machines and requires a token");
        }
        ListeningSocket socket = ListeningSocket.bind(address, "'" + Access.hostPort(address) + "' cannot be used");
        ServerSettings settings =
                new ServerSettings(LIMITS, Access.to(address, token, false), Duration.ZERO, Optional.empty());
        EventLoopGroup loop = EventLoops.daemon("weir-live");
        HttpServer server = HttpServer.on(
                socket,
                settings,
                new LiveService(Collections.unmodifiableSortedMap(new TreeMap<>(paths))),
                new ByteBudget(0),
                new ServerCounters(),
                loop);
        loop.scheduleAtFixedRate(
                () -> streams.forEach(EventStream::heartbeat), HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
        return new LiveServer(address, loop, server);
    }

    public InetSocketAddress address() {
        return server.address();
    }

    public URI url() {
        boolean any = asked.getAddress().isAnyLocalAddress();
        String at = any
                ? "localhost:" + address().getPort()
                : Access.hostPort(
                        new InetSocketAddress(asked.getAddress(), address().getPort()));
        return URI.create("http://" + at + "/");
    }

    /** Waits until all received requests are answered; false if an answer is missing after {@code atMost}. */
    public boolean awaitAnswers(Duration atMost) {
        TimeLimit deadline = MachineClock.within(atMost);
        while (!server.answered()) {
            if (deadline.passed() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
        return true;
    }

    @Override
    public void close() {
        server.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** The handlers of a server by path. A handler that throws an exception ends only its own request. */
    private record LiveService(SortedMap<String, LiveHandler> paths) implements RequestService, RequestService.Task {
        private static final int WORTH_PACKING = 1 << 10;
        private static final Map<String, String> HEADERS = Map.of(
                "cache-control", "no-store",
                "x-content-type-options", "nosniff",
                "referrer-policy", "no-referrer",
                "cross-origin-resource-policy", "same-origin",
                "content-security-policy", "frame-ancestors 'none'");
        private static final Logger LOG = LoggerFactory.getLogger(LiveServer.class);

        @Override
        public Resource resource(String path) throws Refusal {
            LiveHandler handler = paths.get(path);
            if (handler == null) {
                throw new Refusal(
                        HttpResponseStatus.NOT_FOUND,
                        "unknown path; the paths are " + String.join(", ", paths.keySet()));
            }
            return handler.resource();
        }

        @Override
        public Map<String, String> headers() {
            return HEADERS;
        }

        @Override
        public FullHttpResponse refused(Refusal why) {
            return Answers.plain(why);
        }

        @Override
        public Refusal full() {
            return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "this server has too many requests");
        }

        @Override
        public Task begin(HttpHead head) {
            return this;
        }

        @Override
        public int keptBytes() {
            return 0;
        }

        @Override
        public void carryOut(HttpHead head, RequestBody body, Reply reply) {
            answerQuery(head, reply);
        }

        @Override
        public void answerQuery(HttpHead head, Reply reply) {
            LiveRequest asked = LiveRequest.of(head);
            LiveAnswer answer = answer(asked);
            if (answer instanceof LiveAnswer.Whole whole) {
                reply.answer(whole(whole, asked));
            } else if (answer instanceof LiveAnswer.Events events) {
                stream(head, events, reply);
            } else {
                throw new AssertionError(answer);
            }
        }

        private LiveAnswer answer(LiveRequest asked) {
            try {
                return Objects.requireNonNull(paths.get(asked.path())).answer(asked);
            } catch (RuntimeException e) {
                LOG.warn("answering {}", asked.path(), e);
                return LiveAnswer.line(500, "the server failed; see the log of the run");
            }
        }

        private static FullHttpResponse whole(LiveAnswer.Whole answer, LiveRequest asked) {
            byte[] bytes = answer.body();
            boolean large = bytes.length > WORTH_PACKING;
            boolean packed = large
                    && !answer.headers().containsKey("content-encoding")
                    && asked.header("accept-encoding").contains("gzip");
            byte[] sent = packed ? answer.gzip() : bytes;
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), Unpooled.wrappedBuffer(sent));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.type());
            answer.headers().forEach(response.headers()::set);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, sent.length);
            if (large) {
                response.headers().set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
            }
            if (packed) {
                response.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
            }
            return response;
        }

        private void stream(HttpHead head, LiveAnswer.Events events, Reply reply) {
            if (!head.request().protocolVersion().equals(HttpVersion.HTTP_1_1)) {
                reply.answer(
                        refused(new Refusal(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "events need HTTP/1.1")));
            } else if (!head.request().method().equals(HttpMethod.GET)) {
                reply.answer(refused(new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "events need the method GET")));
            } else {
                HttpResponse begun = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                begun.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream");
                begun.headers().set("x-accel-buffering", "no");
                HttpUtil.setTransferEncodingChunked(begun, true);
                reply.stream(begun, client -> events.stream().add(client, events.after()));
            }
        }
    }

    /** A handler of one path. The server's only thread calls it, so a call may take at most a second. */
    public interface LiveHandler {
        LiveAnswer answer(LiveRequest request);

        default Resource resource() {
            return Resource.LOOK_WITH_ANY_QUERY;
        }
    }
}
