package weir.http;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A server of HTTP/1.1 and HTTP/2 that reads bodies only while there is room for them. Its event loops are its owner's. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
public final class BridgeServer implements AutoCloseable {
    /** The time in which a closing server answers what it has taken, so that its process ends within ten seconds. */
    public static final Duration LAST = Duration.ofSeconds(6);

    private static final int BACKLOG = 1_024;

    private final Channel server;
    private final ChannelGroup connections;

    private BridgeServer(Channel server, ChannelGroup connections) {
        this.server = server;
        this.connections = connections;
    }

    /**
     * Returns when it can be connected to.
     *
     * @param budget of bytes of bodies, from their first on
     * @throws IOException when it cannot listen there
     */
    public static BridgeServer start(
            ServerSettings settings,
            Optional<SslContext> tls,
            RequestService service,
            ByteBudget budget,
            ServerCounters counters,
            EventLoopGroup loops)
            throws IOException {
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        ServerContext context = new ServerContext(settings, service, budget, counters);
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(EventLoops.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ConnectionSetup(context, tls, connections))
                .bind(new InetSocketAddress(settings.host(), settings.port()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "the address " + settings + " cannot be listened at: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new BridgeServer(bound.channel(), connections);
    }

    /**
     * The certificate of a server.
     *
     * @param chain and {@code key}: PEM files, the key being neither encrypted nor in the chain's file
     * @throws IOException when they cannot be read
     */
    public static SslContext tls(Path chain, Path key) throws IOException {
        try {
            return SslContextBuilder.forServer(chain.toFile(), key.toFile())
                    .sslProvider(SslProvider.JDK)
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                            ApplicationProtocolNames.HTTP_1_1))
                    .build();
        } catch (IllegalArgumentException | IOException e) {
            throw new IOException("the certificate " + chain + " and its key cannot be read: " + e.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Takes nothing more, and waits for so long until all that it has taken is answered. */
    public void drain(Duration limit) {
        server.close().syncUninterruptibly();
        connections.forEach(connection -> connection.pipeline().fireUserEventTriggered(RequestHandler.DRAIN));
        try {
            connections.newCloseFuture().await(limit.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends what is still connected. */
    @Override
    public void close() {
        server.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly(Duration.ofSeconds(1).toMillis());
    }
}
