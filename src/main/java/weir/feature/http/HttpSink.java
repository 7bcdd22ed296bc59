package weir.feature.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import weir.http.ConnectionSetup.BrokenConnection;
import weir.http.ConnectionSetup.ProtocolDetector;
import weir.http.EventLoops;
import weir.http.ListeningSocket;
import weir.http.MessageReader;
import weir.plan.Limits;
import weir.worker.ServerAssignment;
import weir.worker.ServerProcess;
import weir.worker.ServerSite;
import weir.worker.WorkerJvm;

/**
 * A server that answers each HTTP/1.1 request immediately with 200, to measure the limit of a sender. It does not check
 * its input, so it listens only on loopback.
 */
// A listener on each connection handles failed writes and closes.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpSink implements AutoCloseable {
    private static final int STREAMS = 1_000;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII)));
    private static final ByteBuf BARE =
            Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(ANSWER, 0, ANSWER.readableBytes() - 2));

    private final EventLoopGroup loops;
    private final ListeningSocket socket;

    public record SinkAssignment(int port) implements ServerAssignment {
        @Override
        public Server serve(LongSupplier clock) throws IOException {
            return HttpSink.start(port)::close;
        }
    }

    private HttpSink(EventLoopGroup loops, ListeningSocket socket) {
        this.loops = loops;
        this.socket = socket;
    }

    public static HttpSink start(int port) throws IOException {
        ListeningSocket socket = ListeningSocket.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "a sink cannot listen on port " + port);
        EventLoopGroup loops = EventLoops.group();
        socket.serve(loops, new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new ProtocolDetector(HttpSink::http1, HttpSink::http2));
            }
        });
        return new HttpSink(loops, socket);
    }

    /** Starts a sink in a process of its own. */
    public static ServerProcess process(ServerSite site, String name, Path folder) {
        WorkerJvm jvm = WorkerJvm.gateway(Collections.emptySortedMap(), List.of(), Limits.NONE);
        return new ServerProcess(new SinkAssignment(site.host().freePort()), site, jvm, name, folder);
    }

    @SuppressWarnings("resource")
    public static void main(String[] arguments) throws IOException {
        start(Integer.parseInt(arguments[0]));
    }

    private static void http1(ChannelPipeline pipeline) {
        pipeline.addLast(new Acknowledging());
    }

    private static void http2(ChannelPipeline pipeline) {
        Http2Settings settings =
                Http2Settings.defaultSettings().maxConcurrentStreams(STREAMS).initialWindowSize(WINDOW_BYTES);
        pipeline.addLast(
                Http2FrameCodecBuilder.forServer().initialSettings(settings).build(), new AcknowledgingStreams());
    }

    private static final class AcknowledgingStreams extends BrokenConnection {
        private static final Http2Headers OK =
                ReadOnlyHttp2Headers.serverHeaders(false, HttpResponseStatus.OK.codeAsText());

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean last = false;
            if (message instanceof Http2DataFrame data) {
                context.write(
                        new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()).stream(data.stream()));
                last = data.isEndStream();
            } else if (message instanceof Http2HeadersFrame head) {
                last = head.isEndStream();
            }
            if (last) {
                Http2FrameStream stream = ((Http2StreamFrame) message).stream();
                context.write(new DefaultHttp2HeadersFrame(OK, true).stream(stream));
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    public InetSocketAddress address() {
        return socket.address();
    }

    @Override
    public void close() {
        socket.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class Acknowledging extends BrokenConnection {
        private final MessageReader reader = MessageReader.ofRequests();
        private MessageReader.End end = () -> false;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            end = () -> answer(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                reader.read((ByteBuf) message, context.alloc(), end);
            } catch (MessageReader.Malformed e) {
                context.close();
            }
        }

        private boolean answer(ChannelHandlerContext context) {
            ByteBuf answer = (reader.head() ? BARE : ANSWER).duplicate();
            if (reader.keepAlive()) {
                context.write(answer, context.voidPromise());
            } else {
                context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
            }
            return reader.keepAlive();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            reader.release();
        }
    }
}
