package weir.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;

/**
 * A handler that closes a connection whose client is idle or sends the head of a request too slowly. The guard sees the
 * bytes before the decoders do. Later handlers report complete heads and ended answers to the guard.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    static final Object SLOW_HEAD = new Object();

    private final Channel channel;
    private final RequestLimits limits;
    private final ServerCounters counters;
    private @Nullable Future<?> check;
    private long since;
    private boolean heading = true;
    private boolean framed;
    private boolean streaming;

    private int requests;
    private boolean spoke;
    private int served;

    ConnectionGuard(Channel channel, RequestLimits limits, ServerCounters counters) {
        this.channel = channel;
        this.limits = limits;
        this.counters = counters;
        this.since = now();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        long interval = Math.max(1, limits.headTime().toNanos() / 4);
        check = context.executor().scheduleAtFixedRate(() -> check(context), interval, interval, TimeUnit.NANOSECONDS);
    }

    private long now() {
        return channel.eventLoop().ticker().nanoTime();
    }

    private void check(ChannelHandlerContext context) {
        Duration limit =
                heading ? limits.headTime() : unread() ? limits.unread().time() : limits.idleTime();
        if (requests == 0 && now() - since > limit.toNanos()) {
            boolean answers = heading && spoke && context.pipeline().get(RequestHandler.class) != null;
            if (answers) {
                heading = false;
                since = now();
                context.fireUserEventTriggered(SLOW_HEAD);
                return;
            }
            if (heading) {
                counters.refused.increment();
            }
            context.close();
        }
    }

    private boolean unread() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting != null && waiting.totalPendingWriteBytes() > 0;
    }

    boolean owes() {
        return !streaming && busy();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        spoke = true;
        if (requests == 0 && !heading && !framed) {
            heading = true;
            since = now();
        }
        context.fireChannelRead(bytes);
    }

    /**
     * Closes an idle connection when the server drains, if its client has sent nothing yet or uses HTTP/2. The HTTP/2
     * codec informs the client and closes after the last stream.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == RequestHandler.DRAIN && context.pipeline().get(RequestHandler.class) == null) {
            context.channel().close();
        }
        context.fireUserEventTriggered(event);
    }

    void framed() {
        framed = true;
    }

    /** Counts the start of a request; returns true for the last request of the connection. */
    boolean begun() {
        heading = false;
        requests++;
        return ++served >= limits.requests();
    }

    void streams() {
        streaming = true;
    }

    void ended() {
        requests--;
        since = now();
    }

    boolean busy() {
        return requests > 0 || unread();
    }

    boolean served() {
        return served > 0;
    }

    long sinceNanos() {
        return since;
    }

    /** Closes the connection unless a request has begun. Any thread may call it. */
    void giveUp() {
        channel.eventLoop().execute(() -> {
            if (requests == 0) {
                counters.refused.increment();
                channel.close();
            }
        });
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        Future<?> running = check;
        if (running != null) {
            running.cancel(false);
        }
    }
}
