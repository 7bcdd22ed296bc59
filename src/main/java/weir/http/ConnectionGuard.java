package weir.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import weir.http.BridgeServer.RequestLimits;
import weir.http.BridgeServer.ServerCounters;
import weir.time.MachineClock;

/**
 * A handler that closes a connection whose client sends the head of a request too slowly, or none at all. It sees the
 * bytes before the decoders, which report when a head is complete and when its request is answered.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionGuard extends ChannelInboundHandlerAdapter implements Places.Place {
    static final Object SLOW_HEAD = new Object();

    private final RequestLimits limits;
    private final ServerCounters counters;
    private @Nullable Future<?> check;
    private long since = MachineClock.STEADY.getAsLong();
    private boolean heading = true;
    private boolean framed;

    private int requests;
    private boolean spoke;
    private boolean served;
    private @Nullable ChannelHandlerContext context;

    ConnectionGuard(RequestLimits limits, ServerCounters counters) {
        this.limits = limits;
        this.counters = counters;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
        long glance = Math.max(1, limits.headTime().toNanos() / 4);
        check = context.executor().scheduleAtFixedRate(() -> check(context), glance, glance, TimeUnit.NANOSECONDS);
    }

    private void check(ChannelHandlerContext context) {
        long limit = heading ? limits.headTime().toNanos() : limits.idleTime().toNanos();
        if (requests == 0 && MachineClock.STEADY.getAsLong() - since > limit) {
            boolean answers = heading && spoke && context.pipeline().get(RequestHandler.class) != null;
            if (answers) {
                heading = false;
                since = MachineClock.STEADY.getAsLong();
                context.fireUserEventTriggered(SLOW_HEAD);
                return;
            }
            if (heading) {
                counters.refused.increment();
            }
            context.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        spoke = true;
        if (requests == 0 && !heading && !framed) {
            heading = true;
            since = MachineClock.STEADY.getAsLong();
        }
        context.fireChannelRead(bytes);
    }

    /**
     * Closes a draining connection without requests of its own: it has sent nothing yet, or speaks HTTP/2, whose codec
     * tells the client and closes after the last stream.
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

    void begun() {
        heading = false;
        served = true;
        requests++;
    }

    void ended() {
        requests--;
        since = MachineClock.STEADY.getAsLong();
    }

    @Override
    public boolean busy() {
        return requests > 0;
    }

    @Override
    public boolean served() {
        return served;
    }

    @Override
    public long sinceNanos() {
        return since;
    }

    @Override
    public void giveUp() {
        ChannelHandlerContext own = context;
        if (own != null) {
            own.executor().execute(() -> {
                if (requests == 0) {
                    counters.refused.increment();
                    own.close();
                }
            });
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        Future<?> running = check;
        if (running != null) {
            running.cancel(false);
        }
    }
}
