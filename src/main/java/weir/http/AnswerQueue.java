package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
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
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The answers of one connection, sent in the order of its requests. Its event loop owns them. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class AnswerQueue {
    /** The delay before closing: a client that is still sending would not read the answer otherwise. */
    private static final long LINGER_MILLIS = 1_000;

    private final ChannelHandlerContext context;
    private final ConnectionGuard guard;
    private final ArrayDeque<Pending> open = new ArrayDeque<>();
    /** The handler that encodes answers; null on a stream of HTTP/2. */
    private final @Nullable ChannelHandlerContext encoder;

    private boolean ended;

    static final class Pending {
        private final boolean begun;
        private final boolean bare;
        /** True for HTTP/1.0, whose client waits for the end of the connection unless a header keeps it open. */
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
     * Adds a place for the answer to the next request.
     *
     * @param begun true when the guard counts the request
     * @param last true when the connection ends with it
     * @param request null when its head could not be read
     */
    Pending add(boolean begun, boolean last, @Nullable HttpRequest request) {
        Pending pending = new Pending(begun, last, request);
        open.add(pending);
        return pending;
    }

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
            // Writing from the encoder's context skips the encoder.
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

    void abandon() {
        ended = true;
        for (Pending pending : open) {
            if (pending.answer != null) {
                pending.answer.release();
            }
        }
        open.clear();
    }

    /**
     * The answers from any thread for the connections of one event loop. One wake-up of the loop handles many, and
     * each connection is flushed once.
     */
    static final class Replies {
        private final EventLoop loop;
        private final ConcurrentLinkedQueue<Reply> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean woken = new AtomicBoolean();

        private record Reply(ChannelHandlerContext context, Runnable write) {}

        Replies(EventLoop loop) {
            this.loop = loop;
        }

        void add(ChannelHandlerContext context, Runnable write) {
            waiting.add(new Reply(context, write));
            if (woken.compareAndSet(false, true)) {
                loop.execute(this::drain);
            }
        }

        private void drain() {
            woken.set(false);
            Set<ChannelHandlerContext> written = new HashSet<>();
            for (Reply next = waiting.poll(); next != null; next = waiting.poll()) {
                next.write.run();
                written.add(next.context);
            }
            written.forEach(ChannelHandlerContext::flush);
        }
    }
}
