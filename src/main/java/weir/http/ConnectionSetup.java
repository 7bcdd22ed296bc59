package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import weir.http.HttpServer.Places;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerContext;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.UnreadLimits;

/** The setup of a new connection: TLS if there is a certificate, then HTTP/1.1 or HTTP/2, as the client chooses. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ConnectionSetup extends ChannelInitializer<Channel> {
    private static final Duration RESETS_WITHIN = Duration.ofSeconds(10);

    private final ServerContext server;
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Optional<UnreadAnswers> unread;
    private final Places places;

    ConnectionSetup(ServerContext server) {
        this.server = server;
        this.places = new Places(server.limits().connections());
        long inAll = server.limits().unread().inAll();
        this.unread = inAll > 0 ? Optional.of(new UnreadAnswers(inAll)) : Optional.empty();
    }

    ChannelGroup open() {
        return open;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.config().setAutoRead(false);
        int most = server.limits().unread().bytes();
        if (most > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, UnreadLimits.SENT_BYTES);
            channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(most / 2, most));
        }
        ServerCounters counters = server.counters();
        ConnectionGuard guard = new ConnectionGuard(channel, server.limits(), counters);
        boolean placed =
                places.take(guard) || (unread.isPresent() && unread.get().dropLongest() && places.take(guard));
        if (!placed) {
            counters.refused.increment();
            channel.close();
            return;
        }
        counters.connections.increment();
        channel.closeFuture().addListener(closed -> {
            counters.connections.decrement();
            places.leave(guard);
        });
        open.add(channel);
        unread.ifPresent(channel.pipeline()::addLast);
        channel.pipeline().addLast(guard);
        Optional<SslContext> tls = server.settings().tls();
        if (tls.isPresent()) {
            channel.pipeline().addLast(tls.get().newHandler(channel.alloc()), negotiated(guard));
            // The handshake needs automatic reads.
            channel.config().setAutoRead(true);
        } else if (server.limits().streams() == 0) {
            http1(channel.pipeline(), guard);
        } else {
            channel.pipeline()
                    .addLast(new ProtocolDetector(
                            pipeline -> http1(pipeline, guard), pipeline -> http2(pipeline, guard)));
        }
    }

    private ChannelHandler negotiated(ConnectionGuard guard) {
        return new ApplicationProtocolNegotiationHandler(ApplicationProtocolNames.HTTP_1_1) {
            @Override
            protected void configurePipeline(ChannelHandlerContext context, String protocol) {
                if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                    http2(context.pipeline(), guard);
                } else {
                    http1(context.pipeline(), guard);
                }
            }
        };
    }

    private void http1(ChannelPipeline pipeline, ConnectionGuard guard) {
        pipeline.channel().config().setAutoRead(false);
        pipeline.addLast(
                new StrictDecoder(server.limits()), new HttpResponseEncoder(), new RequestHandler(server, guard));
    }

    /** A decoder that refuses a request with two lengths, because a balancer could use the other length. */
    private static final class StrictDecoder extends HttpRequestDecoder {
        StrictDecoder(RequestLimits limits) {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(limits.lineBytes())
                    .setMaxHeaderSize(limits.headBytes()));
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
        }
    }

    private void http2(ChannelPipeline pipeline, ConnectionGuard guard) {
        guard.framed();
        // HTTP/2 flow control limits bodies, but the server must always read frames.
        pipeline.channel().config().setAutoRead(true);
        RequestLimits limits = server.limits();
        Http2Settings settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(limits.streams())
                .maxHeaderListSize(limits.headBytes());
        pipeline.addLast(
                Http2FrameCodecBuilder.forServer()
                        .initialSettings(settings)
                        .decoderEnforceMaxRstFramesPerWindow(limits.resets(), (int) RESETS_WITHIN.toSeconds())
                        .encoderEnforceMaxRstFramesPerWindow(limits.resets(), (int) RESETS_WITHIN.toSeconds())
                        .gracefulShutdownTimeoutMillis(HttpServer.LAST.toMillis())
                        .build(),
                new Http2MultiplexHandler(streams(guard)),
                new BrokenConnection());
    }

    private ChannelHandler streams(ConnectionGuard guard) {
        return new ChannelInitializer<Http2StreamChannel>() {
            @Override
            protected void initChannel(Http2StreamChannel stream) {
                stream.config().setAutoRead(false);
                stream.pipeline()
                        .addLast(new Http2StreamFrameToHttpObjectCodec(true), new RequestHandler(server, guard));
            }
        };
    }

    /** A handler that closes a broken connection. */
    public static class BrokenConnection extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /** A detector of HTTP/1.1 or HTTP/2 without TLS, by the first bytes (RFC 9113, 3.4). */
    public static final class ProtocolDetector extends ByteToMessageDecoder {
        private static final ByteBuf PREFACE = Unpooled.unreleasableBuffer(
                        Unpooled.wrappedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .asReadOnly();

        private final Consumer<ChannelPipeline> http1;
        private final Consumer<ChannelPipeline> http2;

        public ProtocolDetector(Consumer<ChannelPipeline> http1, Consumer<ChannelPipeline> http2) {
            this.http1 = http1;
            this.http2 = http2;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.fireChannelActive();
            context.read();
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> decoded) {
            int seen = Math.min(bytes.readableBytes(), PREFACE.readableBytes());
            boolean preface = ByteBufUtil.equals(bytes, bytes.readerIndex(), PREFACE, 0, seen);
            if (preface && seen < PREFACE.readableBytes()) {
                return;
            }
            if (preface) {
                http2.accept(context.pipeline());
            } else {
                http1.accept(context.pipeline());
            }
            // The removal passes the received bytes to the next handlers.
            context.pipeline().remove(this);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /**
     * A limit on the unread bytes of all clients together. Above the limit, the server drops the client that has not
     * read for longest. Belongs to the server's event loop.
     */
    @Sharable
    static final class UnreadAnswers extends ChannelOutboundHandlerAdapter {
        private final long most;
        private final Map<Channel, Long> waiting = new LinkedHashMap<>();

        private long all;

        UnreadAnswers(long mostBytes) {
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
