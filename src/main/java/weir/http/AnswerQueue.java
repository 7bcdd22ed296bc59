package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import weir.http.RequestService.Reply;

/** The answers of one connection, sent in the order of the requests. The connection's event loop owns them. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class AnswerQueue {
    /** The delay before closing, so that a client that still sends can read the answer. */
    private static final long LINGER_MILLIS = 1_000;

    private final ChannelHandlerContext context;
    private final ConnectionGuard guard;
    private final ArrayDeque<Reply> open = new ArrayDeque<>();
    /** The handler that encodes answers; null on a stream of HTTP/2. */
    private final @Nullable ChannelHandlerContext encoder;

    private final Map<String, String> headers;
    private boolean ended;
    private boolean streaming;

    AnswerQueue(ChannelHandlerContext context, ConnectionGuard guard, Map<String, String> headers) {
        this.context = context;
        this.guard = guard;
        this.encoder = context.pipeline().context(HttpResponseEncoder.class);
        this.headers = headers;
    }

    void add(Reply reply) {
        open.add(reply);
    }

    void end() {
        Reply last = open.peekLast();
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

    boolean streaming() {
        return streaming;
    }

    void answer(Reply reply, HttpResponse answer) {
        reply.answer = answer;
        Reply first = open.peek();
        while (first != null) {
            HttpResponse ready = first.answer;
            if (ready == null) {
                return;
            }
            open.remove();
            write(first, ready);
            first = open.peek();
        }
    }

    private void write(Reply reply, HttpResponse answer) {
        if (!headers.isEmpty()) {
            headers.forEach(answer.headers()::set);
        }
        if (!ended && reply.stream != null) {
            ended = true;
            streaming = true;
            guard.streams();
            context.write(answer);
            reply.stream.accept(context.channel());
            return;
        }
        if (reply.begun) {
            guard.ended();
        }
        if (ended) {
            ReferenceCountUtil.release(answer);
        } else if (answer instanceof FullHttpResponse whole) {
            write(reply, whole);
        }
    }

    private void write(Reply reply, FullHttpResponse answer) {
        if (reply.last) {
            ended = true;
            FullHttpResponse own = Answers.own(answer, reply.bare);
            own.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            context.write(own).addListener((ChannelFutureListener) written -> linger());
        } else if (reply.bare || reply.old) {
            FullHttpResponse own = Answers.own(answer, reply.bare);
            if (reply.old) {
                own.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
            }
            context.write(own);
        } else {
            writeOne(answer);
        }
    }

    private void writeOne(FullHttpResponse answer) {
        ByteBuf bytes = encoder == null ? null : Answers.encoded(answer, encoder.alloc());
        if (encoder != null && bytes != null) {
            // Writing from the encoder's context skips the encoder.
            encoder.write(bytes, encoder.voidPromise());
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
        open.forEach(reply -> ReferenceCountUtil.release(reply.answer));
        open.clear();
    }

    /**
     * The answers of any thread to connections of one event loop. The loop wakes up once for many answers, and flushes
     * each connection once.
     */
    static final class Replies {
        private final EventLoop loop;
        private final ConcurrentLinkedQueue<Written> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean woken = new AtomicBoolean();

        private record Written(ChannelHandlerContext context, Runnable write) {}

        Replies(EventLoop loop) {
            this.loop = loop;
        }

        void add(ChannelHandlerContext context, Runnable write) {
            waiting.add(new Written(context, write));
            if (woken.compareAndSet(false, true)) {
                loop.execute(this::drain);
            }
        }

        private void drain() {
            woken.set(false);
            Set<ChannelHandlerContext> written = new HashSet<>();
            for (Written next = waiting.poll(); next != null; next = waiting.poll()) {
                next.write.run();
                written.add(next.context);
            }
            written.forEach(ChannelHandlerContext::flush);
        }
    }
}
