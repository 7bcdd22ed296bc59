package weir.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.socket.SocketChannel;
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
import java.time.Duration;
import java.util.Optional;

/** Makes the handlers of each new connection: TLS where there is a certificate, then HTTP/1.1 or HTTP/2 as the client speaks. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionSetup extends ChannelInitializer<SocketChannel> {
    private static final Duration RESETS_WITHIN = Duration.ofSeconds(10);

    private final ServerContext server;
    private final Optional<SslContext> tls;
    private final ChannelGroup open;

    ConnectionSetup(ServerContext server, Optional<SslContext> tls, ChannelGroup open) {
        this.server = server;
        this.tls = tls;
        this.open = open;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        ServerCounters counters = server.counters();
        ConnectionGuard guard = new ConnectionGuard(server.limits(), counters);
        if (!server.places().take(guard)) {
            counters.countRefused();
            channel.close();
            return;
        }
        counters.connection(1);
        channel.closeFuture().addListener(closed -> {
            counters.connection(-1);
            server.places().leave(guard);
        });
        open.add(channel);
        channel.pipeline().addLast(guard);
        if (tls.isPresent()) {
            channel.pipeline().addLast(tls.get().newHandler(channel.alloc()), new Negotiated(guard));
            // A handshake is not read message by message.
            channel.config().setAutoRead(true);
        } else {
            channel.pipeline()
                    .addLast(new ProtocolDetector(
                            pipeline -> http1(pipeline, guard), pipeline -> http2(pipeline, guard)));
        }
    }

    private final class Negotiated extends ApplicationProtocolNegotiationHandler {
        private final ConnectionGuard guard;

        Negotiated(ConnectionGuard guard) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.guard = guard;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                http2(context.pipeline(), guard);
            } else {
                http1(context.pipeline(), guard);
            }
        }
    }

    void http1(ChannelPipeline pipeline, ConnectionGuard guard) {
        pipeline.channel().config().setAutoRead(false);
        int head = server.limits().headBytes();
        HttpDecoderConfig config =
                new HttpDecoderConfig().setMaxInitialLineLength(head).setMaxHeaderSize(head);
        pipeline.addLast(new StrictDecoder(config), new HttpResponseEncoder(), new RequestHandler(server, guard));
    }

    /** A request with two lengths would be one thing to a balancer and another to us. */
    private static final class StrictDecoder extends HttpRequestDecoder {
        StrictDecoder(HttpDecoderConfig config) {
            super(config);
        }

        @Override
        protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
            throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
        }
    }

    void http2(ChannelPipeline pipeline, ConnectionGuard guard) {
        guard.framed();
        // Windows hold back the bodies; frames have to be read at any time.
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
                        .gracefulShutdownTimeoutMillis(BridgeServer.LAST.toMillis())
                        .build(),
                new Http2MultiplexHandler(new StreamSetup(guard)),
                new BrokenConnection());
    }

    private final class StreamSetup extends ChannelInitializer<Http2StreamChannel> {
        private final ConnectionGuard guard;

        StreamSetup(ConnectionGuard guard) {
            this.guard = guard;
        }

        @Override
        protected void initChannel(Http2StreamChannel stream) {
            stream.config().setAutoRead(false);
            stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true), new RequestHandler(server, guard));
        }
    }

    /** Closes a connection whose frames nobody understands. */
    private static final class BrokenConnection extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
