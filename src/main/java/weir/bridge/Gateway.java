package weir.bridge;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An HTTP server that puts each request into Kafka: {@code POST /topics/TOPIC}, whose body is a record or, by its content
 * type, several ({@link RecordFormat}). {@code GET /healthz}, {@code /counters} and {@code /metrics} tell how it is.
 *
 * <p>Where it answers {@code acked}, a 2xx means that the brokers acknowledged all records of the request as the producer's
 * {@code acks} ask for, and the body has their partitions and offsets. Where it answers {@code queued}, it means that they
 * were taken and nothing more.
 */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Gateway implements AutoCloseable {
    /** How long a closing gateway answers what it has taken. */
    static final Duration LAST = Duration.ofSeconds(10);

    private static final int BACKLOG = 1_024;

    private final EventLoopGroup loops;
    private final Channel server;
    private final ChannelGroup connections;
    private final KnownTopics topics;
    private final Forwarder forwarder;
    private final GatewayCounters counters;

    private Gateway(
            EventLoopGroup loops,
            Channel server,
            ChannelGroup connections,
            KnownTopics topics,
            Forwarder forwarder,
            GatewayCounters counters) {
        this.loops = loops;
        this.server = server;
        this.connections = connections;
        this.topics = topics;
        this.forwarder = forwarder;
        this.counters = counters;
    }

    /**
     * Returns when it can be connected to.
     *
     * @throws IOException when it cannot listen there, or the certificate cannot be read
     */
    public static Gateway start(GatewaySettings settings) throws IOException {
        KnownTopics topics = PolledTopics.of(settings.producer());
        try {
            SortedMap<String, Object> client = new TreeMap<>(settings.producer());
            ByteArraySerializer bytes = new ByteArraySerializer();
            return start(settings, topics, new KafkaProducer<>(client, bytes, bytes));
        } catch (IOException | RuntimeException e) {
            topics.close();
            throw e;
        }
    }

    /** Closes the producer when it does not come to that. */
    static Gateway start(GatewaySettings settings, KnownTopics topics, Producer<byte[], byte[]> producer)
            throws IOException {
        GatewayCounters counters = new GatewayCounters();
        Forwarder forwarder = new Forwarder(producer, counters);
        EventLoopGroup loops = EventLoops.group();
        try {
            GatewayContext context = new GatewayContext(settings, topics, forwarder, counters);
            ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
            ConnectionSetup setup = new ConnectionSetup(context, tls(settings.certificate()), connections);
            Channel server = listen(settings, loops, setup);
            return new Gateway(loops, server, connections, topics, forwarder, counters);
        } catch (IOException | RuntimeException e) {
            forwarder.close(Duration.ZERO);
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static Channel listen(GatewaySettings settings, EventLoopGroup loops, ConnectionSetup setup)
            throws IOException {
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(EventLoops.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(setup)
                .bind(new InetSocketAddress(settings.host(), settings.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(settings + " cannot listen: " + bound.cause().getMessage(), bound.cause());
        }
        return bound.channel();
    }

    private static Optional<SslContext> tls(Optional<GatewaySettings.Certificate> certificate) throws IOException {
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SslContextBuilder.forServer(
                            certificate.get().chain().toFile(),
                            certificate.get().key().toFile())
                    .sslProvider(SslProvider.JDK)
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                            ApplicationProtocolNames.HTTP_1_1))
                    .build());
        } catch (IllegalArgumentException | IOException e) {
            throw new IOException(
                    "the certificate " + certificate.get().chain() + " and its key cannot be read: " + e.getMessage(),
                    e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Counts since the start, by name; {@code connections} are those that are open. */
    public SortedMap<String, Long> counts() {
        return counters.all();
    }

    /** Takes nothing more and answers what it has taken, for at most ten seconds. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + LAST.toNanos();
        server.close().syncUninterruptibly();
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(RequestHandler.DRAIN));
        try {
            connections.newCloseFuture().await(LAST.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        forwarder.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        connections.close().awaitUninterruptibly(Duration.ofSeconds(1).toMillis());
        topics.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(LAST.toMillis());
    }
}
