package weir.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import weir.http.HttpServer.ServerContext;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;
import weir.http.RequestService.Task;

/**
 * A handler of the requests of one HTTP/1.1 connection or HTTP/2 stream. While no memory is free, the handler does not
 * read, so the client must wait. If it refuses a request before it has read the body, it closes the connection.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestHandler extends ChannelInboundHandlerAdapter {
    /** The user event after which no request begins. The connection ends after the last answer. */
    static final Object DRAIN = new Object();

    private static final Task NONE = (head, body, reply) -> {};

    /** The statuses of refusals after which the server discards the body and keeps the connection. */
    private static final Set<Integer> SKIMMED = Set.of(
            HttpResponseStatus.UNAUTHORIZED.code(),
            HttpResponseStatus.NOT_FOUND.code(),
            HttpResponseStatus.METHOD_NOT_ALLOWED.code(),
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE.code());

    private final ServerContext server;
    private final ConnectionGuard guard;
    private @Nullable AnswerQueue queue;
    private @Nullable RequestBody body;
    private @Nullable HttpContent held;

    private @Nullable Runnable waiting;
    private @Nullable Future<?> memoryTimeout;
    private final ArrayDeque<Object> unread = new ArrayDeque<>();

    private boolean inbound;
    private boolean unflushed;

    private boolean advancing;
    private boolean skipping;
    private boolean exhausted;

    private boolean draining;

    RequestHandler(ServerContext server, ConnectionGuard guard) {
        this.server = server;
        this.guard = guard;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        queue = new AnswerQueue(context, guard, server.service().headers());
        if (context.channel().isActive()) {
            context.read();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    private AnswerQueue answers() {
        return Objects.requireNonNull(queue, "this handler was not added to a connection");
    }

    private boolean wants(ChannelHandlerContext context) {
        boolean room = answers().open() < server.limits().pipelined()
                && context.channel().isWritable();
        return held == null && (skipping || room);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        inbound = true;
        unread.add(message);
        advance(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        inbound = false;
        if (unflushed) {
            unflushed = false;
            context.flush();
        }
        advance(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        advance(context);
        context.fireChannelWritabilityChanged();
    }

    private void advance(ChannelHandlerContext context) {
        if (advancing) {
            return;
        }
        advancing = true;
        while (wants(context) && !unread.isEmpty()) {
            take(context, unread.remove());
        }
        advancing = false;
        if (!inbound && wants(context)) {
            context.read();
        }
    }

    private void take(ChannelHandlerContext context, Object message) {
        try {
            if (answers().streaming()) {
                context.close();
            }
            if (message instanceof HttpRequest request && !skipping) {
                begin(context, request);
            }
            if (message instanceof HttpContent content && !skipping) {
                content(context, content);
            }
        } catch (Refusal why) {
            server.counters().refused.increment();
            end(context, why);
        } finally {
            if (held != message) {
                ReferenceCountUtil.release(message);
            }
        }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) throws Refusal {
        if (draining) {
            skipping = true;
            answers().end();
            return;
        }
        exhausted = guard.begun();
        boolean asks = HttpUtil.is100ContinueExpected(request);
        HttpHead head = HttpHead.refused(request);
        boolean allowed = false;
        try {
            head = HttpHead.of(request, server);
            refuseLarge(head.length());
            allowed = true;
            asks &= !head.looks();
            body = new RequestBody(head, head.looks() ? NONE : server.service().begin(head));
        } catch (Refusal why) {
            RequestBody refused = new RequestBody(head, NONE);
            body = refused;
            // A client that expects "100 Continue" has sent no body yet.
            if (asks || !(allowed || SKIMMED.contains(why.status()))) {
                throw why;
            }
            server.counters().refused.increment();
            refused.refuse(why);
            return;
        }
        if (asks) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void refuseLarge(long length) throws Refusal {
        int most = server.limits().bodyBytes();
        if (length > most) {
            throw new Refusal(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "a body must be at most " + most + " bytes");
        }
    }

    private void content(ChannelHandlerContext context, HttpContent content) throws Refusal {
        RequestBody to = body;
        if (to == null) {
            return;
        }
        if (content.decoderResult().isFailure()) {
            throw Refusal.bad("the body of the request does not match its headers");
        }
        int bytes = content.content().readableBytes();
        refuseLarge(to.arrived() + bytes);
        int kept = to.kept(bytes);
        if (kept == 0 || server.budget().take(kept)) {
            to.append(content.content(), kept);
        } else if (server.memoryTimeoutMillis() == 0) {
            server.counters().full.increment();
            server.budget().release(to.refuse(server.service().full()));
            to.append(content.content(), 0);
        } else {
            hold(context, content);
            return;
        }
        if (content instanceof LastHttpContent) {
            to.cancelTimeout();
            body = null;
            whole(context, to);
        } else if (to.timeout == null) {
            to.timeout = later(context, server.limits().bodyTime().toMillis(), () -> late(context, to));
        }
    }

    private static Future<?> later(ChannelHandlerContext context, long millis, Runnable what) {
        return context.executor().schedule(what, millis, TimeUnit.MILLISECONDS);
    }

    private void late(ChannelHandlerContext context, RequestBody which) {
        if (body == which && held == null) {
            server.counters().refused.increment();
            end(context, new Refusal(HttpResponseStatus.REQUEST_TIMEOUT, "the body took too long"));
        }
    }

    private void hold(ChannelHandlerContext context, HttpContent content) {
        held = content;
        Runnable again = () -> context.executor().execute(() -> releaseHeld(context, content));
        if (memoryTimeout == null) {
            memoryTimeout = later(context, server.memoryTimeoutMillis(), () -> full(context));
        }
        server.budget().await(again);
        waiting = again;
    }

    private void releaseHeld(ChannelHandlerContext context, HttpContent content) {
        if (held == content) {
            held = null;
            take(context, content);
            if (held == null && memoryTimeout != null) {
                memoryTimeout.cancel(false);
                memoryTimeout = null;
            }
            advance(context);
        }
    }

    private void full(ChannelHandlerContext context) {
        if (held != null) {
            dropHeld();
            server.counters().full.increment();
            end(context, server.service().full());
        }
    }

    private void dropHeld() {
        ReferenceCountUtil.release(held);
        held = null;
        if (waiting != null) {
            server.budget().forget(waiting);
        }
        if (memoryTimeout != null) {
            memoryTimeout.cancel(false);
        }
    }

    private void whole(ChannelHandlerContext context, RequestBody request) {
        HttpHead head = request.head;
        boolean last = draining || exhausted || !HttpUtil.isKeepAlive(head.request());
        skipping |= last;
        Reply reply = new Reply(this, context, true, last, head.request());
        answers().add(reply);
        Refusal refusal = request.refusal;
        if (refusal != null) {
            reply.answer(server.service().refused(refusal));
        } else if (head.request().method().equals(HttpMethod.OPTIONS)) {
            server.budget().release(request.length());
            reply.answer(Answers.options(head.resource()));
        } else if (head.looks()) {
            server.budget().release(request.length());
            server.service().answerQuery(head, reply);
        } else {
            carryOut(request, reply);
        }
    }

    private void carryOut(RequestBody request, Reply reply) {
        try {
            request.task.carryOut(request.head, request, reply);
        } catch (Refusal why) {
            server.budget().release(request.length());
            server.counters().count(why.status());
            reply.answer(server.service().refused(why));
        }
    }

    /** Answers an accepted request, from any thread. Answers during a read are flushed at the end of the read. */
    void reply(ChannelHandlerContext context, Reply reply, HttpResponse answer) {
        if (context.executor().inEventLoop() && inbound) {
            answered(context, reply, answer);
            unflushed = true;
        } else {
            server.replies(context).add(context, () -> answered(context, reply, answer));
        }
    }

    private void answered(ChannelHandlerContext context, Reply reply, HttpResponse answer) {
        answers().answer(reply, answer);
        advance(context);
    }

    private void end(ChannelHandlerContext context, Refusal why) {
        RequestBody left = dropBody();
        skipping = true;
        Reply reply = new Reply(this, context, left != null, true, left == null ? null : left.head.request());
        answers().add(reply);
        answered(context, reply, server.service().refused(why));
        context.flush();
    }

    private @Nullable RequestBody dropBody() {
        RequestBody left = body;
        body = null;
        if (left != null) {
            left.cancelTimeout();
            server.budget().release(left.length());
        }
        return left;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ConnectionGuard.SLOW_HEAD) {
            server.counters().refused.increment();
            end(context, new Refusal(HttpResponseStatus.REQUEST_TIMEOUT, "the head took too long"));
        } else if (event == DRAIN) {
            draining = true;
            if (body == null) {
                skipping = true;
                answers().end();
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        dropHeld();
        unread.forEach(ReferenceCountUtil::release);
        unread.clear();
        dropBody();
        skipping = true;
        answers().abandon();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // An IOException is a broken connection; any other exception is an unreadable request.
        if (!(cause instanceof IOException)) {
            server.counters().refused.increment();
        }
        context.close();
    }
}
