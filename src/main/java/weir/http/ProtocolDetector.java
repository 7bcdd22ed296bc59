package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Tells by the first bytes of a connection without TLS whether its client speaks HTTP/2 (RFC 9113, 3.4) or HTTP/1.1. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ProtocolDetector extends ByteToMessageDecoder {
    private static final ByteBuf PREFACE = Unpooled.unreleasableBuffer(
                    Unpooled.wrappedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
            .asReadOnly();

    private final Consumer<ChannelPipeline> http1;
    private final Consumer<ChannelPipeline> http2;

    /** Either adds what speaks it. */
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
        boolean preface = equal(bytes, seen);
        if (preface && seen < PREFACE.readableBytes()) {
            return;
        }
        if (preface) {
            http2.accept(context.pipeline());
        } else {
            http1.accept(context.pipeline());
        }
        // What was read goes on to those behind.
        context.pipeline().remove(this);
    }

    private static boolean equal(ByteBuf bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != PREFACE.getByte(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
