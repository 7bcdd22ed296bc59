package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The answers of one connection, which leave in the order of its requests. Belongs to its event loop. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class AnswerQueue {
    /** A client may still be sending; were the connection closed at once, it would never read why. */
    private static final long LINGER_MILLIS = 1_000;

    private final ChannelHandlerContext context;
    private final ConnectionGuard guard;
    private final ArrayDeque<Pending> open = new ArrayDeque<>();
    /** The handler that makes bytes of answers; null on a stream of HTTP/2. */
    private final @Nullable ChannelHandlerContext encoder;

    private boolean ended;

    /** A request, and its answer once there is one. */
    static final class Pending {
        private final boolean begun;
        /** An answer without its body: to HEAD. */
        private final boolean bare;
        /** A client of HTTP/1.0, which waits for the end of the connection unless it is told that there is none. */
        private final boolean old;

        private boolean last;
        private @Nullable FullHttpResponse answer;

        private Pending(boolean begun, boolean last, @Nullable HttpRequest request) {
            this.begun = begun;
            this.last = last;
            this.bare = request != null && request.method().equals(HttpMethod.HEAD);
            this.old = request != null && request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        }
    }

    AnswerQueue(ChannelHandlerContext context, ConnectionGuard guard) {
        this.context = context;
        this.guard = guard;
        this.encoder = context.pipeline().context(HttpResponseEncoder.class);
    }

    /**
     * A place for the answer of the next request.
     *
     * @param begun the guard knows of the request
     * @param last the connection ends with it
     * @param request null when its head could not be read
     */
    Pending add(boolean begun, boolean last, @Nullable HttpRequest request) {
        Pending pending = new Pending(begun, last, request);
        open.add(pending);
        return pending;
    }

    /** Nothing comes behind those that are open; where none is, the connection ends now. */
    void end() {
        Pending last = open.peekLast();
        if (last != null) {
            last.last = true;
        } else if (!ended) {
            ended = true;
            context.close();
        }
    }

    int open() {
        return open.size();
    }

    /** Writes it, and what waits behind it, unless it has to wait itself; whoever calls it flushes. */
    void answer(Pending pending, FullHttpResponse answer) {
        pending.answer = answer;
        Pending first = open.peek();
        while (first != null) {
            FullHttpResponse ready = first.answer;
            if (ready == null) {
                return;
            }
            open.remove();
            write(first, ready);
            first = open.peek();
        }
    }

    private void write(Pending pending, FullHttpResponse answer) {
        if (pending.begun) {
            guard.ended();
        }
        if (ended) {
            answer.release();
        } else if (pending.last) {
            ended = true;
            FullHttpResponse own = Answers.own(answer, pending.bare);
            own.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            context.write(own).addListener((ChannelFutureListener) written -> linger());
        } else if (pending.bare || pending.old) {
            FullHttpResponse own = Answers.own(answer, pending.bare);
            if (pending.old) {
                own.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
            }
            context.write(own);
        } else {
            writeOne(answer);
        }
    }

    private void writeOne(FullHttpResponse answer) {
        ByteBuf bytes = encoder == null ? null : Answers.encoded(answer);
        if (encoder != null && bytes != null) {
            // From there on towards the socket, past the encoder.
            encoder.write(bytes);
        } else {
            context.write(answer);
        }
    }

    private void linger() {
        if (context.channel() instanceof DuplexChannel tcp && context.pipeline().get(SslHandler.class) == null) {
            tcp.shutdownOutput();
            context.read();
            context.executor().schedule(() -> context.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            context.close();
        }
    }

    /** The connection is gone. */
    void abandon() {
        ended = true;
        for (Pending pending : open) {
            if (pending.answer != null) {
                pending.answer.release();
            }
        }
        open.clear();
    }
}
