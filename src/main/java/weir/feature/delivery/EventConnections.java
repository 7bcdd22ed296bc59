package weir.feature.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.http.ConnectionPool;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;
import weir.http.HttpTarget;

/**
 * The connections to one target, for one event loop. Each connection has one request at a time, so that a slow answer
 * delays no other event. A new event takes the idle connection that was used last.
 */
// A listener on each connection handles failed writes and closes.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventConnections implements EventDestination, ConnectionPool.Owner<EventConnections.Connection> {
    /** The usual limit of connections to one target. */
    static final int MANY = 256;

    private static final int MOST_BODY = 768;

    private static final byte[] LENGTH = ascii("content-length: ");
    private static final byte[] END = ascii("\r\n\r\n");
    private static final int MOST_DIGITS = 10;

    private final HttpTarget target;
    /** The first lines of each request, which are the same for all events. */
    private final byte[] begin;

    private final EventLoop loop;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final ConnectionPool<Connection> pool;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    /** Lower bound of the send time of the oldest unanswered request. */
    private long oldestNanos = Long.MAX_VALUE;

    private boolean watching;

    private record Waiting(CarriedEvent event, Consumer<DeliveryAttempt> callback) {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    EventConnections(HttpTarget target, EventLoop loop, int most, EventProcessContext context) {
        Duration timeout = context.dispatch().delivery().timeout();
        this.target = target;
        this.begin = ascii("POST " + target.resource() + " HTTP/1.1\r\nhost: " + target.host() + "\r\n");
        this.loop = loop;
        this.clock = context.clock();
        this.timeoutNanos = timeout.toNanos();
        this.pool = new ConnectionPool<>(loop, most, ConnectionPool.Preference.LAST_FIRST, timeout, this);
    }

    @Override
    public void send(CarriedEvent event, Consumer<DeliveryAttempt> callback) {
        Connection connection = pool.take();
        if (connection != null) {
            begin(connection, event, callback);
        } else {
            waiting.add(new Waiting(event, callback));
            pool.openOne(clock.getAsLong());
        }
    }

    private void begin(Connection connection, CarriedEvent event, Consumer<DeliveryAttempt> callback) {
        oldestNanos = Math.min(oldestNanos, connection.send(event, callback));
        if (!watching) {
            watching = true;
            watch();
        }
    }

    private void watch() {
        long now = clock.getAsLong();
        oldestNanos = Long.MAX_VALUE;
        long left = pool.expire(now - timeoutNanos + 1, "no answer in time from " + target.url());
        // A request that began during this expiry has also set the time.
        oldestNanos = Math.min(left, oldestNanos);
        watching = oldestNanos < Long.MAX_VALUE;
        if (watching) {
            loop.schedule(this::watch, oldestNanos + timeoutNanos - now, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public HttpTarget target(int slot) {
        return target;
    }

    @Override
    public Connection connection(int slot, ConnectionPool<Connection> of) {
        return new Connection(slot, of);
    }

    @Override
    public boolean uses(Connection connection) {
        Waiting next = waiting.poll();
        if (next != null) {
            begin(connection, next.event, next.callback);
        }
        return next != null;
    }

    @Override
    public void refused(int slot, String why) {
        Waiting first = waiting.poll();
        if (first != null) {
            String whole = "no connection to " + target.url() + ": " + why;
            first.callback.accept(DeliveryAttempt.none(DeliveryAttempt.LOST, whole, CarriedEvent.NO_TIME));
        }
    }

    @Override
    public void ended() {
        if (!waiting.isEmpty()) {
            pool.openOne(clock.getAsLong());
        }
    }

    final class Connection extends Http1Connection<Consumer<DeliveryAttempt>> {
        Connection(int slot, ConnectionPool<Connection> of) {
            super(slot, of, MOST_BODY);
        }

        /** Returns the time of the write. */
        long send(CarriedEvent event, Consumer<DeliveryAttempt> callback) {
            // The clock is read before the write, because a receiver may have the event before the write returns.
            long outNanos = clock.getAsLong();
            ChannelHandlerContext to = begin(callback, outNanos);
            to.writeAndFlush(request(to, event), to.voidPromise());
            return outNanos;
        }

        private ByteBuf request(ChannelHandlerContext to, CarriedEvent event) {
            byte[] lines = event.lines();
            byte[] data = event.data();
            int size = begin.length + lines.length + LENGTH.length + MOST_DIGITS + END.length + data.length;
            ByteBuf all = to.alloc().directBuffer(size);
            all.writeBytes(begin).writeBytes(lines).writeBytes(LENGTH);
            decimal(all, data.length);
            return all.writeBytes(END).writeBytes(data);
        }

        @Override
        protected void answered(Consumer<DeliveryAttempt> callback, HttpAnswer answer, long sentNanos) {
            callback.accept(
                    answer.status() < 300
                            ? DeliveryAttempt.answered(answer.status(), sentNanos)
                            : new DeliveryAttempt(
                                    answer.status(),
                                    answer.retryAfter(),
                                    Arrays.copyOf(answer.body(), answer.length()),
                                    sentNanos));
        }

        @Override
        protected void lost(Consumer<DeliveryAttempt> callback, String why, boolean late) {
            callback.accept(
                    late
                            ? DeliveryAttempt.none(DeliveryAttempt.LATE, why, sentNanos())
                            : DeliveryAttempt.none(
                                    DeliveryAttempt.LOST, "the connection to " + target.url() + " broke", sentNanos()));
        }
    }
}
