package weir.live;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import weir.http.Access;
import weir.http.Places;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * An HTTP/1.1 server of one thread beside a run. Limits on connections, on requests, and on unread answers bound its
 * cost.
 */
// A failed write or close ends its connection, and close listeners notice that.
@SuppressWarnings("FutureReturnValueIgnored")
public final class LiveServer implements AutoCloseable {
    static final int CONNECTIONS = 64;
    private static final int LINE = 4 << 10;
    private static final int HEAD = 16 << 10;
    /** Bytes that wait for a client before it is dropped; everything that an event stream keeps has to fit. */
    private static final int WAITING = 4 << 20;

    /** Bytes that wait for all clients together, which may be 64 that never read. */
    private static final long WAITING_IN_ALL = 32 << 20;

    /** Bytes of the system's send buffer for a client: few, so that the server notices a client that does not read. */
    private static final int SENDING = 64 << 10;

    private static final Duration GLANCE = Duration.ofMillis(20);
    private static final long HEARTBEAT_SECONDS = 10;

    private final InetSocketAddress asked;
    private final EventLoopGroup loop;
    private final Channel server;
    private final ChannelGroup connections;
    private final AtomicInteger leaving;

    private LiveServer(
            InetSocketAddress asked,
            EventLoopGroup loop,
            Channel server,
            ChannelGroup connections,
            AtomicInteger leaving) {
        this.asked = asked;
        this.loop = loop;
        this.server = server;
        this.connections = connections;
        this.leaving = leaving;
    }

    /**
     * Returns when it can be connected to.
     *
     * @param address that is resolved; port 0 takes any that is free
     * @param token that a request has to bring; empty for none, which only an address of loopback may have
     * @param paths such as {@code /metrics}, and who answers there
     * @param streams of these paths, which need a heartbeat
     * @throws IOException when it cannot listen there, with one line that says why
     */
    public static LiveServer start(
            InetSocketAddress address, String token, Map<String, LiveHandler> paths, List<EventStream> streams)
            throws IOException {
        if (token.isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(address + " can be reached from other machines, and there is no token");
        }
        Access access = Access.to(address, token, false);
        Map<String, LiveHandler> known = Collections.unmodifiableMap(new TreeMap<>(paths));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("weir-live", true), NioIoHandler.newFactory());
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        AtomicInteger leaving = new AtomicInteger();
        UnreadLimit unread = new UnreadLimit(WAITING_IN_ALL);
        Places places = new Places(CONNECTIONS);
        var bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.SO_SNDBUF, SENDING)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(WAITING / 2, WAITING))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        LiveConnection connection = new LiveConnection(channel, access, known, leaving);
                        if (!places.take(connection) && !(unread.dropLongest() && places.take(connection))) {
                            channel.close();
                            return;
                        }
                        connections.add(channel);
                        channel.closeFuture().addListener(closed -> places.leave(connection));
                        channel.pipeline().addLast(unread);
                        handlers(channel, connection);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            end(loop);
            throw new IOException(
                    "'" + shown(address) + "' cannot be listened at: "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        loop.scheduleAtFixedRate(
                () -> streams.forEach(EventStream::heartbeat), HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
        return new LiveServer(address, loop, bound.channel(), connections, leaving);
    }

    static void handlers(Channel channel, LiveConnection connection) {
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(LINE)
                .setMaxHeaderSize(HEAD)
                .setMaxChunkSize(LINE);
        channel.pipeline().addLast(connection.watch(), new HttpServerCodec(limits), connection);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /** Returns the address for a browser on this machine, or the requested one. */
    public URI url() {
        boolean any = asked.getAddress().isAnyLocalAddress();
        InetSocketAddress at = new InetSocketAddress(
                any ? address().getAddress() : asked.getAddress(), address().getPort());
        return URI.create("http://" + (any ? "localhost:" + at.getPort() : shown(at)) + "/");
    }

    private static String shown(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    private static void end(EventLoopGroup loop) {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** Waits until all requested answers have left; false if some have not after {@code atMost}. */
    public boolean awaitAnswers(Duration atMost) {
        TimeLimit deadline = MachineClock.within(atMost);
        while (leaving.get() > 0) {
            if (deadline.passed() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(GLANCE.toNanos());
        }
        return true;
    }

    @Override
    public void close() {
        server.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        end(loop);
    }

    /**
     * A limit on the unread bytes of all clients together: beyond it, the server drops the client that has not read
     * for longest. Belongs to the server's one thread.
     */
    // A channel is closed even if its close fails.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Sharable
    static final class UnreadLimit extends ChannelOutboundHandlerAdapter {
        private final long most;
        /** Unread bytes by client; the first client has waited longest. */
        private final Map<Channel, Long> waiting = new LinkedHashMap<>();

        private long all;

        UnreadLimit(long mostBytes) {
            most = mostBytes;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            long bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
            ChannelPromise written = promise.unvoid();
            Channel client = context.channel();
            if (bytes > 0) {
                waiting.merge(client, bytes, Long::sum);
                all += bytes;
                written.addListener(left -> left(client, bytes));
            }
            context.write(message, written);
            while (all > most && dropLongest()) {
                // Dropping one client may not free enough.
            }
        }

        /** Closes the client that has not read for longest; false if no client has unread bytes. */
        boolean dropLongest() {
            Iterator<Map.Entry<Channel, Long>> clients = waiting.entrySet().iterator();
            if (!clients.hasNext()) {
                return false;
            }
            Map.Entry<Channel, Long> longest = clients.next();
            clients.remove();
            all -= longest.getValue();
            longest.getKey().close();
            return true;
        }

        private void left(Channel client, long bytes) {
            Long before = waiting.get(client);
            // A dropped client no longer counts.
            if (before != null) {
                all -= bytes;
                if (before > bytes) {
                    waiting.put(client, before - bytes);
                } else {
                    waiting.remove(client);
                }
            }
        }
    }
}
