package weir.feature.http;

import io.netty.channel.ManualIoEventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.cli.HostPort;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.event.StructuredEvent;
import weir.feature.http.HttpReceiving.Asked;
import weir.http.Access;
import weir.http.Answers;
import weir.http.ByteBudget;
import weir.http.EventLoops;
import weir.http.HttpHead;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.ListeningSocket;
import weir.http.Refusal;
import weir.http.RequestService;
import weir.http.Resource;
import weir.load.engine.EnginePort;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.plan.RecordKeys;

/**
 * A reader that receives events by HTTP/1.1. The reading thread runs the server's event loop and owns all state of this
 * object except the figures. The reader has one partition; each accepted event gets the next offset.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpReceiver implements Receiver, RequestService {
    private static final long POLL_NANOS = 5_000_000;
    private static final long BODY_BYTES = 64L << 20;
    private static final RequestLimits LIMITS = RecordKeys.with(
            RequestLimits.DEFAULT,
            Map.of(
                    "headTime", Duration.ofSeconds(60),
                    "bodyTime", Duration.ofSeconds(60),
                    "connections", 1_024,
                    "streams", 0,
                    "pipelined", 1_000));

    private final ReceiverSpec spec;
    private final LongSupplier clock;
    private final SplittableRandom random;
    private final Optional<SslContext> tls;
    private final ListeningSocket socket;
    private final ByteBudget budget = new ByteBudget(BODY_BYTES);
    private final ServerCounters counters = new ServerCounters();
    private final AtomicLong failed = new AtomicLong();
    private final EventAttributes attributes = new EventAttributes();
    private final byte[] id = new byte[LoadEvent.ID_LENGTH];
    private final byte[] identity = new byte[Identity.BYTES];
    private final Arrival arrival = new Arrival();
    private final ArrayDeque<DelayedAnswer> delayed = new ArrayDeque<>();
    private final Task structured = this::take;
    private final Task binary = new Task() {
        @Override
        public void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal {
            take(head, body, reply);
        }

        @Override
        public int keptBytes() {
            return Identity.BYTES;
        }
    };
    private final AtomicLong arrivals = new AtomicLong();
    private volatile long arrivedNanos;
    private @Nullable Inbox inbox;
    private long stands;

    /** A delayed answer. All delays are equal, so the answers keep the order of their events. */
    private record DelayedAnswer(Reply reply, FullHttpResponse answer, long dueNanos) {}

    /** Listens from now on. Clients that connect before {@link #fill} wait. */
    HttpReceiver(Asked asked, LongSupplier clock) {
        this.spec = asked.spec();
        this.clock = clock;
        this.random = new SplittableRandom(asked.seed());
        try {
            this.tls = HttpServer.tls(spec.certificate(), spec.key(), false);
        } catch (IOException e) {
            throw new IllegalStateException("load.receiver: " + e.getMessage(), e);
        }
        String listen = asked.path().listen();
        HostPort at = HostPort.read(listen, 0, "127.0.0.1:8080");
        try {
            this.socket = ListeningSocket.bind(
                    new InetSocketAddress(at.host(), at.port()),
                    "load.listen: the receiver cannot listen on " + listen);
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    InetSocketAddress address() {
        return socket.address();
    }

    @Override
    public void fill(Inbox into) {
        inbox = into;
        into.assigned(0, 0);
        ManualIoEventLoop own = EventLoops.ofThisThread();
        Access access = Access.to(socket.address(), spec.token(), tls.isPresent());
        ServerSettings settings = new ServerSettings(LIMITS, access, Duration.ZERO, tls);
        try {
            HttpServer.on(socket, settings, this, budget, counters, own);
            run(own, into);
        } finally {
            // Closing the loop closes its sockets.
            own.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
            while (!own.isTerminated()) {
                own.runNow();
            }
        }
    }

    private void run(ManualIoEventLoop own, Inbox into) {
        while (!into.closed()) {
            pay(clock.getAsLong());
            DelayedAnswer next = delayed.peek();
            long wait = next == null ? POLL_NANOS : Math.min(POLL_NANOS, next.dueNanos - clock.getAsLong());
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

    private void pay(long now) {
        for (DelayedAnswer next = delayed.peek(); next != null && next.dueNanos <= now; next = delayed.peek()) {
            delayed.remove();
            next.reply.answer(next.answer);
        }
    }

    @Override
    public Resource resource(String path) {
        return path.equals(HttpHead.HEALTH) ? Resource.LOOK_WITH_ANY_QUERY : Resource.EVENTS;
    }

    @Override
    public Task begin(HttpHead head) {
        String type = head.request().headers().get(HttpHeaderNames.CONTENT_TYPE);
        return type != null && StructuredEvent.is(type) ? structured : binary;
    }

    @Override
    public void answerQuery(HttpHead head, Reply reply) {
        reply.answer(Answers.empty(HttpResponseStatus.OK));
    }

    @Override
    public FullHttpResponse refused(Refusal why) {
        return Answers.plain(why);
    }

    @Override
    public Refusal full() {
        return new Refusal(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many events at once");
    }

    private void take(HttpHead head, RequestBody body, Reply reply) throws Refusal {
        byte[] data;
        try {
            HttpHeaders headers = head.request().headers();
            data = attributes.readHttp(
                    headers.get(HttpHeaderNames.CONTENT_TYPE), headers.iteratorCharSequence(), body.bytes());
        } catch (MalformedEvent e) {
            throw Refusal.bad(String.valueOf(e.getMessage()));
        }
        budget.release(body.length());
        boolean fails =
                spec.fail().share() > 0 && random.nextDouble() < spec.fail().share();
        if (fails) {
            failed.lazySet(failed.getPlain() + 1);
        } else {
            // The body of a structured event contains more than its data. Of other bodies, only the start is kept.
            take(data, body.length() == body.arrived() ? data.length : (int) body.arrived());
        }
        FullHttpResponse answer = fails ? Answers.empty(HttpResponseStatus.INTERNAL_SERVER_ERROR) : Answers.queued();
        if (spec.delay().isZero()) {
            reply.answer(answer);
        } else {
            delayed.add(new DelayedAnswer(
                    reply, answer, clock.getAsLong() + spec.delay().toNanos()));
        }
    }

    private void take(byte[] data, int bytes) {
        Inbox into = Objects.requireNonNull(inbox, "no reader is connected yet");
        long now = clock.getAsLong();
        long offset = arrivals.getPlain();
        if (LoadEvent.readId(id, attributes.copy("id", id), identity)) {
            arrival.read(identity);
        } else {
            arrival.read(ByteBuffer.wrap(data), 0, data.length);
        }
        into.arrived(now);
        into.take(0, offset, arrival, bytes);
        arrivedNanos = now;
        arrivals.setRelease(offset + 1);
    }

    long arrivals() {
        return arrivals.getAcquire();
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    void report(EnginePort.Figures into) {
        into.figure("receiver.events-total", (double) arrivals());
        into.figure("receiver.requests-refused-total", (double) (counters.refused.sum() + counters.full.sum()));
        into.figure("receiver.requests-failed-total", (double) failed.get());
        into.figure("receiver.connection-count", (double) counters.connections.sum());
    }

    @Override
    public void close() {
        socket.close();
    }
}
