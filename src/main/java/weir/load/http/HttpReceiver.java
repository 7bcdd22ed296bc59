package weir.load.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.Socket;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.http.Access;
import weir.http.EventLoops;
import weir.http.Places;
import weir.load.engine.EngineCounters;
import weir.load.http.ReceivedRequest.ReceiverAnswer;
import weir.load.message.Arrival;
import weir.load.read.Inbox;
import weir.load.read.Receiver;

/**
 * A reader that receives events by HTTP/1.1. Its thread drives the event loop of its connections and owns everything
 * here except the figures. Each accepted event is the next offset of the only partition.
 */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpReceiver implements Receiver {
    private static final long GLANCE_NANOS = 5_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int MOST_CONNECTIONS = 1_024;

    private final Conduct conduct;
    private final ListeningSocket socket;
    private final LongSupplier clock;
    private final Optional<SslContext> tls;
    private final SplittableRandom random;
    private final EngineCounters<ReceiverCount> counters = new EngineCounters<>(ReceiverCount.class);
    private final EventAttributes attributes = new EventAttributes();
    private final ReceivedRequest.BodyMemory memory = new ReceivedRequest.BodyMemory();
    private final Arrival arrival = new Arrival();
    private final Access access;
    private final Places places = new Places(MOST_CONNECTIONS);
    private final Set<ReceiverConnection> open = new LinkedHashSet<>();
    private final ArrayDeque<Owed> owed = new ArrayDeque<>();
    private final AtomicLong arrivals = new AtomicLong();
    private volatile long arrivedNanos;
    private @Nullable Inbox inbox;
    private long stands;

    /**
     * The rules for answering events.
     *
     * @param delayNanos between an event and its answer
     * @param fail share of events that are refused on purpose
     * @param seed that selects the refused events
     * @param token that requests must carry; empty for none
     */
    record Conduct(long delayNanos, double fail, long seed, String token) {}

    private record Owed(ReceiverConnection connection, ReceiverAnswer answer, boolean last, long dueNanos) {}

    HttpReceiver(Conduct conduct, ListeningSocket socket, Optional<SslContext> tls, LongSupplier clock) {
        this.conduct = conduct;
        this.socket = socket;
        this.tls = tls;
        this.clock = clock;
        this.access = Access.to(socket.address(), conduct.token, tls.isPresent());
        this.random = new SplittableRandom(conduct.seed);
    }

    @Override
    public void fill(Inbox into) {
        ManualIoEventLoop own = EventLoops.ofThisThread();
        Channel server = socket.channel();
        server.pipeline().addLast(new Door(own));
        inbox = into;
        into.assigned(0, 0);
        try {
            server.unsafe().register(own, server.newPromise());
            run(own, into);
        } finally {
            server.close();
            List.copyOf(open).forEach(ReceiverConnection::close);
            own.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
            while (!own.isTerminated()) {
                own.runNow();
            }
        }
    }

    private void run(ManualIoEventLoop own, Inbox into) {
        long sweepNanos = clock.getAsLong() + SECOND_NANOS;
        while (!into.closed()) {
            long now = clock.getAsLong();
            pay(now);
            if (now >= sweepNanos) {
                sweepNanos = now + SECOND_NANOS;
                List.copyOf(open).forEach(connection -> connection.expire(now));
            }
            Owed next = owed.peek();
            long wait = next == null ? GLANCE_NANOS : Math.min(GLANCE_NANOS, next.dueNanos - clock.getAsLong());
            if (wait > 0) {
                own.run(wait);
            } else {
                own.runNow();
            }
            long known = arrivals.getPlain();
            if (known != stands) {
                stands = known;
                into.position(0, known);
            }
            into.done(clock.getAsLong());
        }
    }

    private final class Door extends ChannelInboundHandlerAdapter {
        private final ManualIoEventLoop loop;

        Door(ManualIoEventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void channelRead(ChannelHandlerContext from, Object accepted) {
            Channel channel = (Channel) accepted;
            ReceivedRequest request = new ReceivedRequest(memory, attributes, access);
            ReceiverConnection connection = new ReceiverConnection(HttpReceiver.this, request, now());
            if (!places.take(connection)) {
                counters.add(ReceiverCount.REFUSED, 1);
                channel.unsafe().closeForcibly();
                return;
            }
            channel.config().setOption(ChannelOption.TCP_NODELAY, true);
            tls.ifPresent(secure -> channel.pipeline().addLast(secure.newHandler(channel.alloc())));
            connection.join(channel.pipeline());
            open.add(connection);
            counters.add(ReceiverCount.OPENED, 1);
            channel.unsafe().register(loop, channel.newPromise());
        }

        /** Stops accepting for a second: without free file descriptors, retrying at once would take all our time. */
        @Override
        public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
            counters.add(ReceiverCount.REFUSED, 1);
            from.channel().config().setAutoRead(false);
            loop.schedule(() -> from.channel().config().setAutoRead(true), 1, TimeUnit.SECONDS);
        }
    }

    long now() {
        return clock.getAsLong();
    }

    void whole(ReceiverConnection connection, ReceivedRequest request) {
        ReceiverAnswer answer = request.end();
        boolean last = !request.keepAlive();
        if (answer != null) {
            counters.add(ReceiverCount.REFUSED, answer.refuses() ? 1 : 0);
            answer(connection, answer, last, 0);
        } else if (conduct.fail > 0 && random.nextDouble() < conduct.fail) {
            counters.add(ReceiverCount.FAILED, 1);
            answer(connection, ReceiverAnswer.FAILED, last, conduct.delayNanos);
        } else {
            take(request);
            answer(connection, ReceiverAnswer.ACCEPTED, last, conduct.delayNanos);
        }
    }

    void refused(ReceiverConnection connection, ReceiverAnswer answer) {
        counters.add(ReceiverCount.REFUSED, 1);
        answer(connection, answer, true, 0);
    }

    private void take(ReceivedRequest request) {
        Inbox into = inbox;
        if (into == null) {
            throw new IllegalStateException("nobody wants events yet");
        }
        long now = clock.getAsLong();
        long offset = arrivals.getPlain();
        request.identify(arrival);
        into.arrived(now);
        into.take(0, offset, arrival, request.bytes());
        arrivedNanos = now;
        arrivals.setRelease(offset + 1);
        counters.add(ReceiverCount.EVENTS, 1);
    }

    private void answer(ReceiverConnection connection, ReceiverAnswer answer, boolean last, long afterNanos) {
        if (afterNanos == 0 && connection.idle()) {
            connection.answer(answer, last);
        } else {
            // All delays are equal, so the answers stay in the order of their requests.
            connection.owes();
            owed.add(new Owed(connection, answer, last, clock.getAsLong() + conduct.delayNanos));
        }
    }

    private void pay(long now) {
        for (Owed next = owed.peek(); next != null && next.dueNanos <= now; next = owed.peek()) {
            owed.remove();
            next.connection.pay(next.answer, next.last);
        }
    }

    void ended(ReceiverConnection connection) {
        places.leave(connection);
        if (open.remove(connection)) {
            counters.add(ReceiverCount.CLOSED, 1);
        }
    }

    long arrivals() {
        return arrivals.getAcquire();
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    EngineCounters<ReceiverCount> counters() {
        return counters;
    }

    @Override
    public void close() {
        socket.close();
    }

    enum ReceiverCount {
        EVENTS,
        REFUSED,
        /** Events answered with an error on purpose, and not accepted. */
        FAILED,
        OPENED,
        CLOSED
    }

    /** A socket that accepts connections from the start, although the accepting thread begins later. */
    static final class ListeningSocket implements AutoCloseable {
        private static final int BACKLOG = 1_024;

        private final InetSocketAddress address;
        private final io.netty.channel.socket.ServerSocketChannel channel;

        private ListeningSocket(InetSocketAddress address, io.netty.channel.socket.ServerSocketChannel channel) {
            this.address = address;
            this.channel = channel;
        }

        static ListeningSocket bind(InetSocketAddress at) throws IOException {
            return EventLoops.EPOLL ? epoll(at) : nio(at);
        }

        private static ListeningSocket epoll(InetSocketAddress at) throws IOException {
            Socket socket = Socket.newSocketStream();
            try {
                socket.setReuseAddress(true);
                socket.bind(at);
                socket.listen(BACKLOG);
                return new ListeningSocket(socket.localAddress(), new EpollServerSocketChannel(socket.intValue()));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        }

        private static ListeningSocket nio(InetSocketAddress at) throws IOException {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.bind(at, BACKLOG);
                return new ListeningSocket(
                        (InetSocketAddress) socket.getLocalAddress(), new NioServerSocketChannel(socket));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        }

        InetSocketAddress address() {
            return address;
        }

        io.netty.channel.socket.ServerSocketChannel channel() {
            return channel;
        }

        /** Closes a socket that no event loop has registered; event loops close theirs. */
        @Override
        public void close() {
            if (channel.isOpen() && !channel.isRegistered()) {
                channel.unsafe().closeForcibly();
            }
        }
    }
}
