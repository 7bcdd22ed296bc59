package weir.feature.delivery;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.feature.delivery.Outlet.Outcome;
import weir.http.EventLoops;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;

/**
 * Connections to one target, each with one request at a time, so that a slow answer delays no other event. The
 * connection that was used last is used next. Belongs to one event loop.
 */
// A failed write or close ends its connection, which has a listener.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventConnections implements Outlet {
    private static final int MOST_BODY = 768;

    private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_DIGITS = 10;

    private final Target target;
    private final EventLoop loop;
    private final int most;
    private final LongSupplier clock;
    private final long timeoutNanos;
    private final Bootstrap bootstrap;
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    /** Connections with an open request, ordered by deadline, because all have the same time limit. */
    private final Set<Connection> awaiting = new LinkedHashSet<>();

    private int open;
    private boolean watching;

    private record Waiting(CarriedEvent event, Callback callback) {}

    /**
     * A server that events are sent to, by HTTP/1.1 without TLS.
     *
     * @param begin the lines of a request that are the same for all events
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Target(String url, InetSocketAddress address, byte[] begin) {
        private static final int HTTP = 80;

        static Target of(String url) throws IOException {
            URI uri;
            try {
                uri = URI.create(url);
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        "'" + url + "' is not a URL to send events to; write it like http://HOST:PORT/PATH", e);
            }
            if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
                throw new IOException(
                        "'" + url + "': events are sent on by http only; write it like http://HOST:PORT/PATH");
            }
            InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? HTTP : uri.getPort());
            if (address.isUnresolved()) {
                throw new IOException("no machine is called '" + uri.getHost() + "' (" + url + ")");
            }
            String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            String begin = "POST " + path + query + " HTTP/1.1\r\nhost: " + uri.getRawAuthority() + "\r\n";
            return new Target(url, address, begin.getBytes(StandardCharsets.US_ASCII));
        }
    }

    EventConnections(Target target, EventLoop loop, int most, Duration timeout, LongSupplier clock) {
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
    public void send(CarriedEvent event, Callback callback) {
        Connection connection = idle.pollLast();
        if (connection != null) {
            begin(connection, event, callback);
        } else if (open < most) {
            dial(event, callback);
        } else {
            waiting.add(new Waiting(event, callback));
        }
    }

    private void begin(Connection connection, CarriedEvent event, Callback callback) {
        connection.send(event, callback);
        if (!watching) {
            watching = true;
            watch();
        }
    }

    private void watch() {
        long now = clock.getAsLong();
        while (!awaiting.isEmpty()) {
            Connection first = awaiting.iterator().next();
            if (first.deadlineNanos > now) {
                loop.schedule(this::watch, first.deadlineNanos - now, TimeUnit.NANOSECONDS);
                return;
            }
            first.end(Outcome.none(Outcome.LATE, "no answer in time from " + target.url, first.outNanos));
            // The answer may still come, and would be taken for that to the next event.
            first.close();
        }
        watching = false;
    }

    private void dial(CarriedEvent event, Callback callback) {
        open++;
        Connection connection = new Connection();
        bootstrap.clone().handler(connection).connect().addListener((ChannelFuture dialled) -> {
            if (dialled.isSuccess()) {
                begin(connection, event, callback);
            } else {
                closed(connection);
                String why = "no connection with " + target.url + ": "
                        + dialled.cause().getMessage();
                callback.ended(Outcome.none(Outcome.LOST, why, CarriedEvent.NO_TIME));
            }
        });
    }

    private void closed(Connection connection) {
        open--;
        idle.remove(connection);
        Waiting next = waiting.poll();
        if (next != null) {
            dial(next.event, next.callback);
        }
    }

    private final class Connection extends Http1Connection {
        private @Nullable Callback callback;
        private long outNanos;
        private long deadlineNanos;

        Connection() {
            super(MOST_BODY);
        }

        void send(CarriedEvent event, Callback called) {
            callback = called;
            ChannelHandlerContext to = context();
            // Taken before it: a receiver may have the event before the write returns.
            outNanos = clock.getAsLong();
            deadlineNanos = outNanos + timeoutNanos;
            to.writeAndFlush(request(to, event), to.voidPromise());
            awaiting.add(this);
        }

        /** All in one buffer, which the socket takes as it is. */
        private ByteBuf request(ChannelHandlerContext to, CarriedEvent event) {
            byte[] lines = event.lines();
            byte[] data = event.data();
            int size = target.begin.length + lines.length + LENGTH.length + MOST_DIGITS + END.length + data.length;
            ByteBuf all = to.alloc().directBuffer(size);
            all.writeBytes(target.begin).writeBytes(lines).writeBytes(LENGTH);
            decimal(all, data.length);
            return all.writeBytes(END).writeBytes(data);
        }

        private void end(Outcome outcome) {
            Callback last = callback;
            callback = null;
            awaiting.remove(this);
            if (last != null) {
                last.ended(outcome);
            }
        }

        private void close() {
            context().close();
        }

        @Override
        protected boolean busy() {
            return callback != null;
        }

        @Override
        protected void connected() {}

        @Override
        protected void answered(HttpAnswer answer) {
            Outcome outcome = answer.status() < 300
                    ? Outcome.answered(answer.status(), outNanos)
                    : new Outcome(
                            answer.status(),
                            answer.retryAfter(),
                            Arrays.copyOf(answer.body(), answer.length()),
                            outNanos);
            Callback last = callback;
            callback = null;
            awaiting.remove(this);
            if (room()) {
                Waiting next = waiting.poll();
                if (next == null) {
                    idle.add(this);
                } else {
                    begin(this, next.event, next.callback);
                }
            }
            if (last != null) {
                last.ended(outcome);
            }
        }

        @Override
        protected void ended(String why) {
            boolean waits = callback != null;
            awaiting.remove(this);
            closed(this);
            if (waits) {
                end(Outcome.none(Outcome.LOST, "the connection with " + target.url + " broke", outNanos));
            }
        }
    }
}
