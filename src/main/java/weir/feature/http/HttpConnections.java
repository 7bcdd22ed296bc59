package weir.feature.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.IoEventLoop;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.feature.http.HttpConnection.HttpCall;
import weir.feature.http.HttpSender.HttpCount;
import weir.feature.http.HttpSettings.HttpTarget;
import weir.feature.http.RequestBodies.RequestHeads;
import weir.http.EventLoops;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;

/**
 * The connections of one sender to all targets in turn. A lost connection is reopened after a pause that grows with
 * each failure.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpConnections {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
    private static final int CONNECT_MILLIS = 10_000;

    private final HttpSettings settings;
    private final IoEventLoop loop;
    private final HttpSender sender;
    private final Consumer<String> events;
    private final List<Slot> slots = new ArrayList<>();
    private final ArrayDeque<Slot> ready = new ArrayDeque<>();
    private final List<Slot> unflushed = new ArrayList<>();

    private static final class Slot {
        final int number;
        final HttpTarget target;
        final RequestHeads heads;

        @Nullable HttpConnection connection;

        boolean queued;
        boolean unflushed;

        long dialNanos;
        long pauseNanos = PAUSE_NANOS;

        Slot(int number, HttpTarget target, RequestHeads heads) {
            this.number = number;
            this.target = target;
            this.heads = heads;
        }
    }

    HttpConnections(HttpSettings settings, int number, IoEventLoop loop, HttpSender sender, Consumer<String> events) {
        this.settings = settings;
        this.loop = loop;
        this.sender = sender;
        this.events = events;
        List<RequestHeads> heads = settings.targets().stream()
                .map(target -> new RequestHeads(target, settings))
                .toList();
        for (int i = 0; i < settings.connections(); i++) {
            int target = (number * settings.connections() + i) % heads.size();
            slots.add(new Slot(i, settings.targets().get(target), heads.get(target)));
        }
    }

    HttpSender sender() {
        return sender;
    }

    void dial(long now) {
        for (Slot slot : slots) {
            if (slot.connection == null && now >= slot.dialNanos) {
                dial(slot, now);
            }
        }
    }

    private void dial(Slot slot, long now) {
        HttpConnection connection = settings.second()
                ? new Http2Connection(slot.number, slot.target, settings, this)
                : new RecordConnection(slot.number, slot.heads, this);
        slot.connection = connection;
        slot.dialNanos = now + slot.pauseNanos;
        slot.pauseNanos = Math.min(2 * slot.pauseNanos, LONGEST_PAUSE_NANOS);
        sender.counters().add(HttpCount.DIALLED, 1);
        ChannelFuture connected = new Bootstrap()
                .group(loop)
                .channel(EventLoops.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        HttpTarget target = slot.target;
                        if (target.tls()) {
                            channel.pipeline()
                                    .addLast(settings.tls()
                                            .orElseThrow()
                                            .newHandler(
                                                    channel.alloc(),
                                                    target.name(),
                                                    target.address().getPort()));
                        }
                        connection.join(channel.pipeline());
                    }
                })
                .connect(slot.target.address());
        connected.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                events.accept(
                        "connecting to " + slot.target + ": " + done.cause().getMessage());
                connection.drop(String.valueOf(done.cause().getMessage()));
            }
        });
    }

    void ready(HttpConnection connection) {
        Slot slot = slots.get(connection.slot());
        if (slot.connection == connection && connection.room()) {
            slot.pauseNanos = PAUSE_NANOS;
            if (!slot.queued) {
                slot.queued = true;
                ready.add(slot);
            }
        }
    }

    void ended(HttpConnection connection) {
        Slot slot = slots.get(connection.slot());
        if (slot.connection == connection) {
            slot.connection = null;
            if (slot.pauseNanos == PAUSE_NANOS) {
                // Redial at once: the connection worked until now.
                slot.dialNanos = Long.MIN_VALUE;
            }
        }
    }

    @Nullable HttpConnection take() {
        for (Slot next = ready.poll(); next != null; next = ready.poll()) {
            next.queued = false;
            if (next.connection != null && next.connection.room()) {
                if (!next.unflushed) {
                    next.unflushed = true;
                    unflushed.add(next);
                }
                return next.connection;
            }
        }
        return null;
    }

    void flush() {
        for (int i = 0; i < unflushed.size(); i++) {
            Slot slot = unflushed.get(i);
            slot.unflushed = false;
            if (slot.connection != null) {
                slot.connection.flush();
            }
        }
        unflushed.clear();
    }

    void expire(long sentBeforeNanos, String why) {
        for (Slot slot : slots) {
            if (slot.connection != null) {
                slot.connection.expire(sentBeforeNanos, why);
            }
        }
    }

    void close(String why) {
        for (Slot slot : slots) {
            slot.dialNanos = Long.MAX_VALUE;
            if (slot.connection != null) {
                slot.connection.drop(why);
            }
        }
    }

    /** A sender's connection that speaks HTTP/1.1, one request at a time. */
    // A failed write or close also ends the connection, and that end is handled.
    @SuppressWarnings("FutureReturnValueIgnored")
    static final class RecordConnection extends Http1Connection implements HttpConnection {
        private static final int COPIED_BYTES = 16 << 10;

        private static final int HEAD_BYTES = 1 << 10;

        private final int slot;
        private final RequestHeads heads;
        private final HttpConnections pool;
        private @Nullable HttpCall call;

        RecordConnection(int slot, RequestHeads heads, HttpConnections pool) {
            super(KEPT_BYTES);
            this.slot = slot;
            this.heads = heads;
            this.pool = pool;
        }

        @Override
        protected boolean busy() {
            return call != null;
        }

        @Override
        protected void connected() {
            pool.ready(this);
        }

        @Override
        public void send(HttpCall next) {
            ChannelHandlerContext on = context();
            call = next;
            int length = next.body.readableBytes();
            boolean copied = length <= COPIED_BYTES;
            ByteBuf head =
                    on.alloc().directBuffer(HEAD_BYTES + next.identities.readableBytes() + (copied ? length : 0));
            heads.write(head, next);
            if (copied) {
                head.writeBytes(next.body, next.body.readerIndex(), length);
                on.writeAndFlush(head, on.voidPromise());
            } else {
                on.write(head, on.voidPromise());
                on.writeAndFlush(next.body.retainedDuplicate(), on.voidPromise());
            }
        }

        @Override
        protected void answered(HttpAnswer answer) {
            HttpCall done = call;
            call = null;
            if (done != null) {
                pool.sender().answered(done, answer);
                pool.ready(this);
            }
        }

        @Override
        protected void ended(String why) {
            HttpCall lost = call;
            call = null;
            if (lost != null) {
                pool.sender().lost(lost, why);
            }
            pool.ended(this);
        }

        @Override
        public void join(ChannelPipeline pipeline) {
            pipeline.addLast(this);
        }

        @Override
        public int slot() {
            return slot;
        }

        @Override
        public void expire(long sentBeforeNanos, String why) {
            if (call != null && call.sentNanos < sentBeforeNanos) {
                drop(why);
            }
        }
    }
}
