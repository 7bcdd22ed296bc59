package weir.bridge.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A connection that carries one event and its answer at a time. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventConnection extends ChannelInboundHandlerAdapter {
    /** As much of an answer as a dead letter tells. */
    private static final int MOST_BODY = 768;

    private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_DIGITS = 10;

    private final EventConnections pool;
    private final EventTarget target;
    private final LongSupplier clock;
    private final ShortAnswers shortAnswers = new ShortAnswers(this::succeeded);
    private @Nullable Channel channel;
    private @Nullable EventCall call;

    EventConnection(EventConnections pool, EventTarget target, LongSupplier clock) {
        this.pool = pool;
        this.target = target;
        this.clock = clock;
    }

    ShortAnswers shortAnswers() {
        return shortAnswers;
    }

    /** An answer without a body has come. */
    private void succeeded(int status) {
        EventCall open = call;
        if (open == null) {
            // Nobody asked.
            close();
            return;
        }
        open.answer(status, "", false);
        answered(open);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    private Channel channel() {
        Channel known = channel;
        if (known == null) {
            throw new IllegalStateException("not connected with " + target);
        }
        return known;
    }

    EventCall send(CarriedEvent event, Outlet.Heard heard, long timeoutNanos) {
        Channel to = channel();
        // Taken before it: a receiver may have the event before the write returns.
        long out = clock.getAsLong();
        to.writeAndFlush(request(to, event), to.voidPromise());
        EventCall next = new EventCall(this, heard, out, out + timeoutNanos);
        call = next;
        return next;
    }

    /** Its time is over; so is that of the connection, on which the answer may still come. */
    void expire(EventCall late) {
        call = null;
        pool.over(late);
        late.end(Outcome.none(Outcome.LATE, "no answer in time from " + target, late.outNanos()));
        channel().close();
    }

    /** All in one buffer, which the socket takes as it is. */
    private ByteBuf request(Channel to, CarriedEvent event) {
        byte[] begin = target.begin();
        byte[] lines = event.lines();
        byte[] data = event.data();
        int size = begin.length + lines.length + LENGTH.length + MOST_DIGITS + END.length + data.length;
        ByteBuf all = to.alloc().directBuffer(size);
        all.writeBytes(begin).writeBytes(lines).writeBytes(LENGTH);
        decimal(all, data.length);
        return all.writeBytes(END).writeBytes(data);
    }

    private static void decimal(ByteBuf into, int number) {
        int power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (int left = power; left > 0; left /= 10) {
            into.writeByte('0' + number / left % 10);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            EventCall open = call;
            if (open == null) {
                // Nobody asked.
                context.close();
                return;
            }
            if (message instanceof HttpResponse answer) {
                head(context, open, answer);
            }
            if (message instanceof HttpContent content) {
                content(context, open, content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private static void head(ChannelHandlerContext context, EventCall open, HttpResponse answer) {
        if (answer.decoderResult().isFailure()) {
            context.close();
            return;
        }
        int status = answer.status().code();
        String comeAgain = status >= 300 ? answer.headers().get(HttpHeaderNames.RETRY_AFTER, "") : "";
        open.answer(status, comeAgain, !HttpUtil.isKeepAlive(answer));
    }

    private void content(ChannelHandlerContext context, EventCall open, HttpContent content) {
        if (content.decoderResult().isFailure()) {
            context.close();
            return;
        }
        ByteArrayOutputStream body = open.body();
        if (body != null) {
            byte[] some = new byte[Math.min(content.content().readableBytes(), MOST_BODY - body.size())];
            content.content().readBytes(some);
            body.writeBytes(some);
        }
        boolean interim = HttpStatusClass.valueOf(open.status()) == HttpStatusClass.INFORMATIONAL;
        if (content instanceof LastHttpContent && !interim) {
            shortAnswers.over();
            answered(open);
        }
    }

    private void answered(EventCall open) {
        call = null;
        pool.over(open);
        if (open.last()) {
            close();
        } else {
            pool.free(this);
        }
        open.end();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        EventCall open = call;
        call = null;
        if (open != null) {
            pool.over(open);
        }
        pool.closed(this);
        if (open != null) {
            open.end(Outcome.none(Outcome.LOST, "the connection with " + target + " broke", open.outNanos()));
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    void close() {
        channel().close();
    }
}
