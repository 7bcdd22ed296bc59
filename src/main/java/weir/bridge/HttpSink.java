package weir.bridge;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import weir.http.ConnectionSetup.ProtocolDetector;
import weir.http.EventLoops;

/**
 * A server that answers any HTTP/1.1 request with 200 at once, with as little work as possible: against it a sender
 * shows its own limit. It trusts its input, so it listens on loopback only.
 */
// A failed write or close ends its connection, which has a listener.
@SuppressWarnings("FutureReturnValueIgnored")
public final class HttpSink implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final int STREAMS = 1_000;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII)));
    private static final ByteBuf BARE =
            Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(ANSWER, 0, ANSWER.readableBytes() - 2));
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final EventLoopGroup loops;
    private final Channel server;

    private HttpSink(EventLoopGroup loops, Channel server) {
        this.loops = loops;
        this.server = server;
    }

    public static HttpSink start(int port) throws IOException {
        EventLoopGroup loops = EventLoops.group();
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(EventLoops.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new ProtocolDetector(HttpSink::http1, HttpSink::http2));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw new IOException(
                    "a sink cannot listen at port " + port + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new HttpSink(loops, bound.channel());
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

    private static final class AcknowledgingStreams extends ChannelInboundHandlerAdapter {
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

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class Acknowledging extends ChannelInboundHandlerAdapter {
        private @Nullable ByteBuf rest;

        private long left;
        private boolean bare;
        /** True for a client of HTTP/1.0, which waits for the end of the connection. */
        private boolean old;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            ByteBuf before = rest;
            if (before != null) {
                before.writeBytes(in);
                in.release();
                in = before;
                rest = null;
            }
            boolean more = in.isReadable();
            while (more) {
                more = skip(context, in) && in.isReadable();
            }
            if (in.isReadable()) {
                rest = context.alloc().buffer().writeBytes(in);
            }
            in.release();
        }

        private boolean skip(ChannelHandlerContext context, ByteBuf in) {
            if (left == 0) {
                int end = head(in);
                if (end < 0) {
                    return false;
                }
                left = length(in, end);
                bare = in.getByte(in.readerIndex()) == 'H';
                old = in.getByte(in.indexOf(in.readerIndex(), end, (byte) '\n') - 2) == '0';
                in.readerIndex(end);
                if (left == 0) {
                    answer(context);
                    return true;
                }
            }
            int some = (int) Math.min(left, in.readableBytes());
            in.skipBytes(some);
            left -= some;
            if (left == 0) {
                answer(context);
            }
            return true;
        }

        private void answer(ChannelHandlerContext context) {
            ByteBuf answer = (bare ? BARE : ANSWER).duplicate();
            if (old) {
                context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
            } else {
                context.write(answer, context.voidPromise());
            }
        }

        private static int head(ByteBuf in) {
            int at = in.readerIndex();
            while (true) {
                int feed = in.indexOf(at, in.writerIndex(), (byte) '\n');
                if (feed < 0 || feed + 2 >= in.writerIndex() + 1) {
                    return -1;
                }
                if (feed + 2 < in.writerIndex() && in.getByte(feed + 1) == '\r' && in.getByte(feed + 2) == '\n') {
                    return feed + 3;
                }
                at = feed + 1;
            }
        }

        private static long length(ByteBuf in, int end) {
            int at = in.readerIndex();
            while (at < end) {
                int feed = in.indexOf(at, end, (byte) '\n');
                if (feed < 0) {
                    return 0;
                }
                if (feed - at > LENGTH.length && named(in, at)) {
                    return number(in, at + LENGTH.length, feed);
                }
                at = feed + 1;
            }
            return 0;
        }

        private static boolean named(ByteBuf in, int at) {
            for (int i = 0; i < LENGTH.length; i++) {
                if (Character.toLowerCase(in.getByte(at + i)) != LENGTH[i]) {
                    return false;
                }
            }
            return true;
        }

        private static long number(ByteBuf in, int from, int to) {
            long number = 0;
            for (int i = from; i < to; i++) {
                int digit = in.getByte(i) - '0';
                if (digit >= 0 && digit <= 9) {
                    number = 10 * number + digit;
                }
            }
            return number;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ByteBuf left = rest;
            rest = null;
            if (left != null) {
                left.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
