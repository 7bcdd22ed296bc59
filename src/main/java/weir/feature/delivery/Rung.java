package weir.feature.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.feature.delivery.EventRequests.EventUse;
import weir.feature.delivery.RungContext.KafkaClients;
import weir.http.Access;
import weir.http.ByteBudget;
import weir.http.EventLoops;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.Refusal;
import weir.http.Resource;
import weir.worker.ServerAssignment;

/** One process on an event's path. */
// The end of an event loop needs no callback.
@SuppressWarnings("FutureReturnValueIgnored")
final class Rung implements ServerAssignment.Server {
    private final RungContext context;
    private final HttpServer server;
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private Holder holder = Holder.NONE;

    private Rung(RungContext context) throws IOException {
        this.context = context;
        RungSettings settings = context.settings();
        try {
            EventUse use = use(context);
            ServerSettings place = new ServerSettings(
                    settings.host(),
                    settings.port(),
                    RequestLimits.DEFAULT,
                    Access.to(new InetSocketAddress(settings.host(), settings.port()), "", false),
                    Duration.ZERO);
            EventRequests requests = new EventRequests(context, use, holder);
            server = HttpServer.start(
                    place, Optional.empty(), requests, context.budget(), context.server(), context.loops());
        } catch (IOException | RuntimeException e) {
            closers.forEach(Runnable::run);
            context.loops().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    /**
     * Returns when it can be connected to, and reads from where it left off.
     *
     * @param clock of the run: the time at which events are due
     * @throws IOException when it cannot listen there
     */
    static Rung start(RungSettings settings, LongSupplier clock) throws IOException {
        return start(settings, KafkaClients.REAL, clock);
    }

    static Rung start(RungSettings settings, KafkaClients clients, LongSupplier clock) throws IOException {
        ServerCounters counters = new ServerCounters();
        // The other half of the machine is for the sender and the receiver. One loop on two cores wakes no other thread
        // for an event.
        int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new Rung(new RungContext(
                settings,
                clients,
                EventLoops.group(loops),
                new ByteBudget(settings.dispatch().memory().bytes()),
                counters,
                new RungFigures(counters),
                clock));
    }

    private EventUse use(RungContext rung) throws IOException {
        return switch (rung.settings().role()) {
            case INGRESS -> new NextHop(rung).ingress();
            case FILTER -> new NextHop(rung).filter();
            case MEMORY_CHANNEL -> {
                MemoryChannel channel = new MemoryChannel(rung, new Subscribers(rung), deadLetters(rung));
                holder = channel;
                yield channel;
            }
            case KAFKA_CHANNEL -> {
                read(rung, true);
                TopicWriter writer = new TopicWriter(rung);
                closers.addFirst(writer::close);
                yield writer;
            }
            case SOURCE -> {
                read(rung, false);
                yield (codec, data, body, reply, in) -> {
                    throw new Refusal(
                            HttpResponseStatus.METHOD_NOT_ALLOWED.code(),
                            "a source takes no events: it reads a topic",
                            Map.of("allow", Resource.LOOK.allow()));
                };
            }
        };
    }

    private void read(RungContext rung, boolean written) throws IOException {
        TopicHolder topic = new TopicHolder(rung, new Subscribers(rung), deadLetters(rung), written);
        holder = topic;
        closers.addFirst(topic::close);
    }

    private Optional<DeadLetterWriter> deadLetters(RungContext rung) {
        if (rung.settings().deadLetters().isEmpty() || rung.settings().parksByHttp()) {
            return Optional.empty();
        }
        DeadLetterWriter letters = new DeadLetterWriter(rung);
        closers.addFirst(letters::close);
        return Optional.of(letters);
    }

    InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void tells(long fromNanos, long toNanos) {
        context.figures().tells(fromNanos, toNanos);
    }

    @Override
    public void look(ObjDoubleConsumer<String> into) {
        String fault = holder.fault();
        if (!fault.isEmpty()) {
            throw new IllegalStateException(fault);
        }
        context.figures().look(into);
        into.accept("events.held", (double) holder.heldLately());
    }

    /** Accepts nothing more, passes on the events that it holds, and ends within ten seconds. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        long deadline = context.now() + HttpServer.LAST.toNanos();
        server.drain(HttpServer.LAST);
        holder.drain(deadline);
        server.close();
        closers.forEach(Runnable::run);
        context.loops().shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(HttpServer.LAST.toMillis());
    }
}
