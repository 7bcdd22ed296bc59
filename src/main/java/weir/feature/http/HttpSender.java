package weir.feature.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ManualIoEventLoop;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.feature.http.HttpConnection.HttpCall;
import weir.feature.http.RequestBodies.RequestHeads;
import weir.http.ConnectionPool;
import weir.http.ConnectionPool.Preference;
import weir.http.EventLoops;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;
import weir.http.HttpTarget;
import weir.load.engine.EngineCounters;
import weir.load.send.DueQueue;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.load.send.Sender;
import weir.pace.Schedule;

/**
 * A producer that sends by HTTP. One thread owns all state: it takes batches, sends requests, reads answers and drives
 * the event loop of the connections. While all connections are full, the thread takes no batch.
 */
// A failed write or close ends the connection, and a listener handles this end.
@SuppressWarnings("FutureReturnValueIgnored")
final class HttpSender implements Sender, ConnectionPool.Owner<HttpConnection> {
    private static final long POLL_NANOS = 5_000_000;

    private static final int TURN = 16;

    private static final long FIRST_PAUSE_NANOS = 100_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final int number;
    private final HttpSettings settings;
    private final List<RequestHeads> heads;
    private final RequestBodies bodies;
    private final LongSupplier clock;
    private final Consumer<String> events;
    final EngineCounters<HttpCount> counters = new EngineCounters<>(HttpCount.class);
    private final ArrayDeque<HttpCall> free = new ArrayDeque<>();
    private final PriorityQueue<HttpCall> again =
            new PriorityQueue<>(Comparator.comparingLong(call -> call.againNanos));
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Outcomes outcomes;
    private volatile @Nullable ManualIoEventLoop loop;
    private volatile boolean closed;
    private int open;

    HttpSender(int number, HttpSettings settings, LongSupplier clock, Consumer<String> events) {
        this.number = number;
        this.settings = settings;
        this.heads = settings.targets().stream()
                .map(target -> new RequestHeads(target, settings))
                .toList();
        this.bodies = new RequestBodies(settings);
        this.clock = clock;
        this.events = events;
    }

    @Override
    public void carry(Outbox outbox) {
        ManualIoEventLoop own = EventLoops.ofThisThread();
        ConnectionPool<HttpConnection> all =
                new ConnectionPool<>(own, settings.connections(), Preference.IN_TURN, TIMEOUT, this);
        outcomes = outbox.outcomes();
        loop = own;
        try {
            run(outbox, own, all);
        } finally {
            closed = true;
            all.close("the producer was closed");
            again.forEach(call -> fail(call, new HttpFailure("the producer was closed")));
            own.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
            while (!own.isTerminated()) {
                own.runNow();
            }
            free.forEach(HttpCall::release);
            ended.countDown();
        }
    }

    /** The connections of all senders use the targets in turn. */
    private int turn(int slot) {
        return (number * settings.connections() + slot) % heads.size();
    }

    @Override
    public HttpTarget target(int slot) {
        return settings.targets().get(turn(slot));
    }

    @Override
    public Optional<SslContext> tls() {
        return settings.tls();
    }

    @Override
    public HttpConnection connection(int slot, ConnectionPool<HttpConnection> pool) {
        counters.add(HttpCount.DIALLED, 1);
        return settings.second()
                ? new Http2Connection(slot, target(slot), settings, this, pool)
                : new RecordConnection(slot, heads.get(turn(slot)), pool);
    }

    @Override
    public void refused(int slot, String why) {
        events.accept("connecting to " + target(slot) + ": " + why);
    }

    private void run(Outbox outbox, ManualIoEventLoop own, ConnectionPool<HttpConnection> all) {
        outbox.dues().phases.wakeBy(own::wakeup);
        boolean more = true;
        long lookAgain = Long.MIN_VALUE;
        while (!closed) {
            long now = clock.getAsLong();
            if (now >= lookAgain) {
                all.openAll(now);
                all.expire(
                        now - settings.http().timeout().toNanos(),
                        "no answer within " + settings.http().timeout().toMillis() + " ms");
                lookAgain = now + POLL_NANOS;
            }
            resend(now, all);
            long next = more ? send(outbox, all, clock.getAsLong()) : Schedule.NEVER;
            more = next != Schedule.NEVER;
            if (settings.second()) {
                all.flush();
            }
            if (!more && open == 0) {
                return;
            }
            long until = Math.min(next, lookAgain) - clock.getAsLong();
            if (until > 0) {
                own.run(until);
            } else {
                own.runNow();
            }
        }
    }

    private long send(Outbox outbox, ConnectionPool<HttpConnection> all, long begin) {
        DueQueue dues = outbox.dues();
        long now = begin;
        for (int sent = 0; sent < TURN; sent++) {
            long at = dues.departs(settings.batch(), settings.http().linger().toNanos(), now);
            if (at > now) {
                return at;
            }
            HttpConnection connection = all.take();
            if (connection == null) {
                dues.blocked(now);
                return now + POLL_NANOS;
            }
            HttpCall call = free.isEmpty() ? new HttpCall() : free.pop();
            dues.take(call.messages, now);
            bodies.write(call, outbox);
            dues.departed(call.messages, call.contents);
            counters.add(HttpCount.RECORDS, call.messages.count);
            open++;
            send(call, connection, all);
            now = clock.getAsLong();
        }
        return now;
    }

    private void resend(long now, ConnectionPool<HttpConnection> all) {
        for (HttpCall next = again.peek(); next != null && next.againNanos <= now; next = again.peek()) {
            HttpConnection connection = all.take();
            if (connection == null) {
                return;
            }
            again.remove();
            counters.add(HttpCount.RETRIES, 1);
            send(next, connection, all);
        }
    }

    private void send(HttpCall call, HttpConnection connection, ConnectionPool<HttpConnection> all) {
        call.attempts++;
        call.sentNanos = clock.getAsLong();
        counters.add(HttpCount.SENT, 1);
        counters.add(HttpCount.BYTES, call.body.readableBytes());
        connection.send(call);
        all.ready(connection);
    }

    /** {@code answer} is valid only during this call. */
    void answered(HttpCall call, HttpAnswer answer) {
        long now = clock.getAsLong();
        counters.add(HttpCount.DONE, 1);
        counters.add(HttpCount.ANSWERED, 1);
        counters.add(HttpCount.LATENCY_NANOS, now - call.sentNanos);
        if (answer.later()) {
            counters.add(HttpCount.LATER, 1);
        }
        BitSet failed = call.messages.count > 1 ? RequestBodies.failed(answer, call.messages.count) : null;
        if (failed != null && !failed.isEmpty() && failed.cardinality() < call.messages.count) {
            part(call, failed, answer, now);
        } else if (answer.good() && (failed == null || failed.isEmpty())) {
            outcomes().acked(call.messages, now, call.contents);
            finish(call);
        } else if (answer.later() && retries(call)) {
            int named = answer.retryAfterSeconds();
            long pause = named >= 0 ? named * SECOND_NANOS : pause(call);
            again(call, now + pause);
        } else {
            fail(call, new HttpFailure(answer.summary()));
        }
    }

    void lost(HttpCall call, String why) {
        counters.add(HttpCount.DONE, 1);
        counters.add(HttpCount.LOST, 1);
        if (!closed && retries(call)) {
            again(call, clock.getAsLong() + pause(call));
        } else {
            fail(call, new HttpFailure(why));
        }
    }

    private boolean retries(HttpCall call) {
        return call.attempts <= settings.http().retries();
    }

    private static long pause(HttpCall call) {
        return Math.min(FIRST_PAUSE_NANOS << Math.min(call.attempts - 1, 10), LONGEST_PAUSE_NANOS);
    }

    private void again(HttpCall call, long whenNanos) {
        call.againNanos = whenNanos;
        again.add(call);
    }

    /** Fails the rest of a partly written batch, because a retry would write some records twice. */
    private void part(HttpCall call, BitSet failed, HttpAnswer answer, long now) {
        MessageBatch written = new MessageBatch();
        MessageBatch refused = new MessageBatch();
        written.begin(call.messages);
        refused.begin(call.messages);
        for (int i = 0; i < call.messages.count; i++) {
            (failed.get(i) ? refused : written).add(call.messages, i);
        }
        counters.add(HttpCount.ERRORS, refused.count);
        outcomes().acked(written, now, call.contents * written.count / call.messages.count);
        outcomes().failed(refused, new HttpFailure(answer.summary()));
        finish(call);
    }

    private void fail(HttpCall call, HttpFailure why) {
        counters.add(HttpCount.ERRORS, call.messages.count);
        outcomes().failed(call.messages, why);
        finish(call);
    }

    private void finish(HttpCall call) {
        open--;
        call.clear();
        free.push(call);
    }

    private Outcomes outcomes() {
        return Objects.requireNonNull(outcomes, "no request was sent yet");
    }

    @Override
    public Duration timeout() {
        return settings.http().timeout().multipliedBy(1L + settings.http().retries());
    }

    @Override
    public void close() {
        closed = true;
        ManualIoEventLoop running = loop;
        if (running == null) {
            return;
        }
        running.wakeup();
        try {
            if (!ended.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                events.accept("producer " + number + " did not stop within " + TIMEOUT.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static final class HttpFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        HttpFailure(String message) {
            super(message, null, false, false);
        }
    }

    enum HttpCount {
        SENT,
        DONE,
        ANSWERED,
        RECORDS,
        BYTES,
        LATENCY_NANOS,
        RETRIES,
        ERRORS,
        LATER,
        LOST,
        DIALLED
    }

    /** An HTTP/1.1 connection of a sender, with one request at a time. */
    private final class RecordConnection extends Http1Connection<HttpCall> implements HttpConnection {
        private static final int COPIED_BYTES = 16 << 10;

        private static final int HEAD_BYTES = 1 << 10;

        private final RequestHeads heads;

        RecordConnection(int slot, RequestHeads heads, ConnectionPool<HttpConnection> pool) {
            super(slot, pool, KEPT_BYTES);
            this.heads = heads;
        }

        @Override
        public void send(HttpCall next) {
            ChannelHandlerContext on = begin(next, next.sentNanos);
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
        protected void answered(HttpCall done, HttpAnswer answer, long sentNanos) {
            HttpSender.this.answered(done, answer);
        }

        @Override
        protected void lost(HttpCall lost, String why, boolean late) {
            HttpSender.this.lost(lost, why);
        }
    }
}
