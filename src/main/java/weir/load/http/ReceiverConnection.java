package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import weir.http.ConnectionSetup.StrictDecoder;
import weir.http.Places;
import weir.http.Refusal;
import weir.load.http.ReceivedRequest.ReceiverAnswer;

/**
 * A connection of a client that sends events. Clients may pipeline requests; answers leave in the order of the
 * requests. It belongs to the reader's thread.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class ReceiverConnection extends ChannelInboundHandlerAdapter implements Places.Place {
    private static final int HEAD_BYTES = 16 << 10;
    private static final long REQUEST_NANOS = 60_000_000_000L;
    private static final long IDLE_NANOS = 300_000_000_000L;
    /** The time for the client to read the last answer before the connection is closed. */
    private static final long LINGER_NANOS = 1_000_000_000L;

    private static final int MOST_UNANSWERED = 1_000;

    private static final ReceiverAnswer SLOW = ReceiverAnswer.refusal(
            new Refusal(HttpResponseStatus.REQUEST_TIMEOUT.code(), "the request took too long"), true, false);

    private final HttpReceiver receiver;
    private final ReceivedRequest request;
    private @Nullable ChannelHandlerContext context;
    private long sinceNanos;
    private boolean reading;
    private boolean inBody;

    private boolean deaf;
    private boolean over;
    private int unanswered;
    private boolean served;

    ReceiverConnection(HttpReceiver receiver, ReceivedRequest request, long nowNanos) {
        this.receiver = receiver;
        this.request = request;
        this.sinceNanos = nowNanos;
    }

    void join(ChannelPipeline pipeline) {
        pipeline.addLast(new FirstBytes(), new StrictDecoder(HEAD_BYTES), this);
        context = pipeline.context(this);
    }

    private final class FirstBytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext from, Object bytes) {
            if (!reading) {
                reading = true;
                sinceNanos = receiver.now();
            }
            from.fireChannelRead(bytes);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        try {
            if (!deaf) {
                read(message);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(Object message) {
        if (message instanceof HttpRequest head) {
            reading = true;
            inBody = true;
            served = true;
            request.begin(head);
            if (request.continues()) {
                write(ReceiverAnswer.CONTINUE);
            }
        }
        if (message instanceof HttpContent part) {
            request.add(part.content());
            if (part.decoderResult().isFailure()) {
                request.broken();
            }
        }
        ReceiverAnswer early = request.early();
        if (early != null) {
            deaf = true;
            request.release();
            receiver.refused(this, early);
        } else if (message instanceof LastHttpContent) {
            reading = false;
            inBody = false;
            sinceNanos = receiver.now();
            deaf = !request.keepAlive();
            receiver.whole(this, request);
        }
    }

    boolean idle() {
        return unanswered == 0;
    }

    void owes() {
        unanswered++;
        hold();
    }

    void pay(ReceiverAnswer answer, boolean last) {
        unanswered--;
        answer(answer, last);
        flush();
        hold();
    }

    void answer(ReceiverAnswer answer, boolean last) {
        write(answer);
        if (last || answer.last()) {
            over = true;
            sinceNanos = receiver.now();
            end();
        }
    }

    private void write(ReceiverAnswer answer) {
        ChannelHandlerContext on = context;
        if (on != null && on.channel().isActive()) {
            ByteBuf bytes = on.alloc().directBuffer(answer.length());
            answer.write(bytes);
            on.write(bytes, on.voidPromise());
        }
    }

    private void flush() {
        if (context != null) {
            context.flush();
        }
    }

    /**
     * Lets the client close first: closing a socket with unread bytes would make the client's side discard the answer.
     */
    private void end() {
        ChannelHandlerContext on = context;
        if (on != null) {
            on.writeAndFlush(on.alloc().buffer(0)).addListener((ChannelFutureListener) written -> {
                if (written.channel() instanceof SocketChannel socket
                        && on.pipeline().get(SslHandler.class) == null) {
                    socket.shutdownOutput();
                } else {
                    on.close();
                }
            });
        }
    }

    private void hold() {
        ChannelHandlerContext on = context;
        if (on != null) {
            boolean wanted = unanswered < MOST_UNANSWERED && on.channel().isWritable();
            if (on.channel().config().isAutoRead() != wanted) {
                on.channel().config().setAutoRead(wanted);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        from.flush();
        hold();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        hold();
    }

    void expire(long nowNanos) {
        if (unanswered > 0) {
            return;
        }
        long limit = over ? LINGER_NANOS : reading || inBody ? REQUEST_NANOS : IDLE_NANOS;
        if (nowNanos - sinceNanos <= limit) {
            return;
        }
        if (!over && (reading || inBody)) {
            deaf = true;
            receiver.refused(this, SLOW);
        } else {
            close();
        }
    }

    @Override
    public boolean busy() {
        return unanswered > 0 || inBody;
    }

    @Override
    public boolean served() {
        return served;
    }

    @Override
    public long sinceNanos() {
        return sinceNanos;
    }

    @Override
    public void giveUp() {
        close();
    }

    void close() {
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        deaf = true;
        request.release();
        receiver.ended(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        from.close();
    }
}
