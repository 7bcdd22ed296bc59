package weir.bridge.delivery;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import weir.bridge.http.EventLoops;

/**
 * Connections to one target, each with one request at a time: what waits longer than others for its answer holds up nobody.
 * The one that was used last is used next. Belongs to one event loop.
 */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventConnections implements Outlet {
    private static final int HEAD_BYTES = 16 << 10;

    private final EventTarget target;
    private final EventLoop loop;
    private final int most;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final Bootstrap bootstrap;
    private final ArrayDeque<EventConnection> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final CallList calls = new CallList();

    private int open;
    private boolean watching;

    private record Waiting(CarriedEvent event, Heard heard) {}

    /** {@code most}: connections at once; what is more waits. */
    EventConnections(EventTarget target, EventLoop loop, int most, Duration timeout, LongSupplier clock) {
        this.target = target;
        this.loop = loop;
        this.most = most;
        this.clock = clock;
        this.timeoutNanos = timeout.toNanos();
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(EventLoops.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE))
                .remoteAddress(target.address());
    }

    @Override
    public void send(CarriedEvent event, Heard heard) {
        EventConnection connection = idle.pollLast();
        if (connection != null) {
            begin(connection, event, heard);
        } else if (open < most) {
            dial(event, heard);
        } else {
            waiting.add(new Waiting(event, heard));
        }
    }

    private void begin(EventConnection connection, CarriedEvent event, Heard heard) {
        calls.add(connection.send(event, heard, timeoutNanos));
        if (!watching) {
            watching = true;
            watch();
        }
    }

    /** One timer for all, because all wait equally long. */
    private void watch() {
        long now = clock.getAsLong();
        EventCall first = calls.first();
        while (first != null && first.deadlineNanos() <= now) {
            first.connection().expire(first);
            first = calls.first();
        }
        if (first == null) {
            watching = false;
        } else {
            loop.schedule(this::watch, first.deadlineNanos() - now, TimeUnit.NANOSECONDS);
        }
    }

    private void dial(CarriedEvent event, Heard heard) {
        open++;
        EventConnection connection = new EventConnection(this, target, clock);
        bootstrap
                .clone()
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HttpDecoderConfig limits = new HttpDecoderConfig()
                                .setMaxInitialLineLength(HEAD_BYTES)
                                .setMaxHeaderSize(HEAD_BYTES);
                        channel.pipeline()
                                .addLast(connection.shortAnswers(), new HttpResponseDecoder(limits), connection);
                    }
                })
                .connect()
                .addListener((ChannelFuture dialled) -> {
                    if (dialled.isSuccess()) {
                        begin(connection, event, heard);
                    } else {
                        closed(connection);
                        String why = "no connection with " + target + ": "
                                + dialled.cause().getMessage();
                        heard.heard(Outcome.none(Outcome.LOST, why, CarriedEvent.NO_TIME));
                    }
                });
    }

    /** A call has come to its end. */
    void over(EventCall call) {
        calls.remove(call);
    }

    /** It can be used again. */
    void free(EventConnection connection) {
        Waiting next = waiting.poll();
        if (next == null) {
            idle.add(connection);
        } else {
            begin(connection, next.event, next.heard);
        }
    }

    /** It is gone. */
    void closed(EventConnection connection) {
        open--;
        idle.remove(connection);
        Waiting next = waiting.poll();
        if (next != null) {
            dial(next.event, next.heard);
        }
    }

    /** Closes what is idle; the others end with their answers. */
    void close() {
        idle.forEach(EventConnection::close);
    }
}
