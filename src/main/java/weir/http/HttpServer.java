package weir.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import weir.http.AnswerQueue.Replies;

/** A server for HTTP/1.1 and HTTP/2 with a limit on the bytes of bodies. Its owner provides the event loops. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpServer implements AutoCloseable {
    /** The limit for answering accepted requests at the end, so that the process ends within ten seconds. */
    public static final Duration LAST = Duration.ofSeconds(6);

    private final Channel server;
    private final ChannelGroup connections;

    private HttpServer(Channel server, ChannelGroup connections) {
        this.server = server;
        this.connections = connections;
    }

    /**
     * Starts the server; returns when it accepts connections.
     *
     * @param at port 0 takes any free port
     * @param budget the limit on the bytes of all bodies together
     * @throws IOException if it cannot listen on the address
     */
    public static HttpServer start(
            InetSocketAddress at,
            ServerSettings settings,
            RequestService service,
            ByteBudget budget,
            ServerCounters counters,
            EventLoopGroup loops)
            throws IOException {
        ListeningSocket socket =
                ListeningSocket.bind(at, "cannot listen on the address " + at.getHostString() + ":" + at.getPort());
        return on(socket, settings, service, budget, counters, loops);
    }

    public static HttpServer on(
            ListeningSocket socket,
            ServerSettings settings,
            RequestService service,
            ByteBudget budget,
            ServerCounters counters,
            EventLoopGroup loops) {
        ConnectionSetup setup =
                new ConnectionSetup(new ServerContext(settings, service, budget, counters, new ConcurrentHashMap<>()));
        socket.serve(loops, setup);
        return new HttpServer(socket.channel(), setup.open());
    }

    /**
     * Reads the certificate of a server from PEM files. The key is not encrypted and has its own file.
     *
     * @param chain empty for a server without TLS
     * @param second true for a server that also speaks HTTP/2
     * @throws IOException if a file is unreadable
     */
    public static Optional<SslContext> tls(Path chain, Path key, boolean second) throws IOException {
        if (chain.toString().isEmpty()) {
            return Optional.empty();
        }
        try {
            SslContextBuilder server =
                    SslContextBuilder.forServer(chain.toFile(), key.toFile()).sslProvider(SslProvider.JDK);
            if (second) {
                negotiate(server, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
            }
            return Optional.of(server.build());
        } catch (IllegalArgumentException | IOException e) {
            throw new IOException("the certificate " + chain + " and its key cannot be read: " + e.getMessage(), e);
        }
    }

    /** Lets both sides of a TLS connection agree on a protocol. */
    public static void negotiate(SslContextBuilder side, String... protocols) {
        side.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        protocols));
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Refuses new requests, and waits until all accepted requests are answered or the limit is over. */
    public void drain(Duration limit) {
        server.close().syncUninterruptibly();
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(RequestHandler.DRAIN));
        try {
            connections.newCloseFuture().await(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns true when all clients have received their answers; an event stream never ends. */
    public boolean answered() {
        return connections.stream()
                .map(connection -> connection.pipeline().get(ConnectionGuard.class))
                .noneMatch(guard -> guard != null && guard.owes());
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly(Duration.ofSeconds(1).toMillis());
    }

    /**
     * The settings of a server.
     *
     * @param memoryTimeout the time for which a request waits for free memory; if zero, the server reads and refuses such a
     *     request, and keeps the connection
     * @param tls empty for a server without TLS
     */
    public record ServerSettings(
            RequestLimits limits, Access access, Duration memoryTimeout, Optional<SslContext> tls) {}

    record ServerContext(
            ServerSettings settings,
            RequestService service,
            ByteBudget budget,
            ServerCounters counters,
            Map<EventLoop, Replies> replies) {
        RequestLimits limits() {
            return settings.limits();
        }

        long memoryTimeoutMillis() {
            return settings.memoryTimeout().toMillis();
        }

        Replies replies(ChannelHandlerContext context) {
            return replies.computeIfAbsent(context.channel().eventLoop(), Replies::new);
        }
    }

    public static final class ServerCounters {
        public final LongAdder refused = new LongAdder();
        public final LongAdder full = new LongAdder();
        public final LongAdder connections = new LongAdder();

        public void count(int status) {
            (status == HttpResponseStatus.TOO_MANY_REQUESTS.code() ? full : refused).increment();
        }
    }

    /**
     * The limits for one client of a server, so that no client can exhaust it.
     *
     * @param lineBytes bytes of the first line of a request
     * @param headBytes bytes of all header lines of a request together
     * @param headTime from the first byte of a request, or the start of a connection, to the end of the head
     * @param bodyTime from the end of the head to the end of the body, while the server reads
     * @param idleTime the longest time of a connection without a request
     * @param connections open connections; the server closes any further connection
     * @param streams open streams of an HTTP/2 connection; 0 for a server of HTTP/1.1 only
     * @param resets resets of HTTP/2 streams by one client within ten seconds
     * @param pipelined unanswered requests of an HTTP/1.1 connection
     * @param requests requests of an HTTP/1.1 connection, which ends with the last
     */
    public record RequestLimits(
            int bodyBytes,
            int records,
            int lineBytes,
            int headBytes,
            int headers,
            Duration headTime,
            Duration bodyTime,
            Duration idleTime,
            int connections,
            int streams,
            int resets,
            int pipelined,
            int requests,
            UnreadLimits unread) {
        public static final RequestLimits DEFAULT = new RequestLimits(
                4 << 20,
                10_000,
                16 << 10,
                16 << 10,
                100,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                10_000,
                128,
                200,
                64,
                Integer.MAX_VALUE,
                UnreadLimits.NONE);
    }

    /**
     * The limits on answers that clients do not read. With a limit on bytes, the server has one event loop.
     *
     * @param time the limit for reading an answer
     * @param bytes the unread bytes of one client above which its requests wait; 0 for the default
     * @param inAll the most unread bytes of all clients together
     */
    public record UnreadLimits(Duration time, int bytes, long inAll) {
        public static final UnreadLimits NONE = new UnreadLimits(Duration.ofMinutes(5), 0, 0);

        /** The small send buffer of a client, in bytes, which shows soon that a client does not read. */
        static final int SENT_BYTES = 64 << 10;
    }

    /**
     * The limit of open connections. At the limit, the server closes the connection that has waited longest for a
     * request. Connections that never had a request come first. Safe for many threads.
     */
    static final class Places {
        private final int most;
        private final Set<ConnectionGuard> taken = new LinkedHashSet<>();

        Places(int most) {
            this.most = most;
        }

        /** Takes a place for a connection; false when all other connections are busy. */
        synchronized boolean take(ConnectionGuard place) {
            if (taken.size() >= most) {
                Optional<ConnectionGuard> waiting = taken.stream()
                        .filter(one -> !one.busy())
                        .min(Comparator.comparing(ConnectionGuard::served).thenComparing(ConnectionGuard::sinceNanos));
                if (waiting.isEmpty()) {
                    return false;
                }
                taken.remove(waiting.get());
                waiting.get().giveUp();
            }
            return taken.add(place);
        }

        synchronized void leave(ConnectionGuard place) {
            taken.remove(place);
        }
    }
}
