package weir.bridge.delivery;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.ServerCounters;
import weir.bridge.kafka.Forwarder;
import weir.http.Refusal;
import weir.http.Resource;

/** Puts together what a rung of each role is made of. */
final class RungParts implements AutoCloseable {
    private final RungSettings settings;
    private final KafkaClients clients;
    private final EventLoopGroup loops;
    private final ServerCounters counters;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final ByteBudget budget;
    /** In the order in which they are closed. */
    private final Deque<Part> parts = new ArrayDeque<>();

    private Holder holder = Holder.NONE;

    private interface Part {
        void close();
    }

    RungParts(
            RungSettings settings,
            KafkaClients clients,
            EventLoopGroup loops,
            ServerCounters counters,
            RungFigures figures,
            LongSupplier clock) {
        this.settings = settings;
        this.clients = clients;
        this.loops = loops;
        this.counters = counters;
        this.figures = figures;
        this.clock = clock;
        this.budget = new ByteBudget(settings.dispatch().memory().bytes());
    }

    /** The bytes of requests, which is also all that a channel in memory holds. */
    ByteBudget budget() {
        return budget;
    }

    Holder holder() {
        return holder;
    }

    /** Builds all parts; returns that which takes the events that come by HTTP. */
    EventUse use() throws IOException {
        return switch (settings.role()) {
            case INGRESS -> new Ingress(next(), figures, settings.dispatch().ttl(), clock);
            case FILTER -> new Filter(next(), settings.dispatch().filter(), budget, figures, clock);
            case MEMORY_CHANNEL -> memoryChannel();
            case KAFKA_CHANNEL -> kafkaChannel();
            case SOURCE -> source();
        };
    }

    private NextHop next() throws IOException {
        EventTarget target = EventTarget.of(settings.next().get(0));
        return new NextHop(target, settings.dispatch().delivery().timeout(), budget, counters, figures, clock);
    }

    private MemoryChannel memoryChannel() throws IOException {
        Subscribers subscribers = new Subscribers(settings, loops, clock);
        MemoryChannel channel = new MemoryChannel(subscribers, deadLetters(), budget, figures, clock);
        holder = channel;
        return channel;
    }

    private EventUse kafkaChannel() throws IOException {
        AckTimes acks = new AckTimes(figures);
        read(Optional.of(acks));
        TopicWriter writer = new TopicWriter(
                settings.topic(),
                clients.producer(settings.producer()),
                Forwarder.patience(settings.producer()),
                budget,
                counters,
                figures,
                acks,
                clock);
        parts.addFirst(writer::close);
        return writer;
    }

    private EventUse source() throws IOException {
        read(Optional.empty());
        return (reader, data, body, reply, in) -> {
            throw new Refusal(
                    HttpResponseStatus.METHOD_NOT_ALLOWED.code(),
                    "a source takes no events: it reads a topic",
                    Map.of("allow", Resource.LOOK.allow()));
        };
    }

    private void read(Optional<AckTimes> acks) throws IOException {
        Subscribers subscribers = new Subscribers(settings, loops, clock);
        TopicHolder topic = new TopicHolder(settings, subscribers, deadLetters(), clients, acks, figures, clock);
        holder = topic;
        parts.addFirst(topic::close);
    }

    private Optional<DeadLetterTopic> deadLetters() {
        if (settings.deadLetters().isEmpty() || settings.parksByHttp()) {
            return Optional.empty();
        }
        DeadLetterTopic letters = new DeadLetterTopic(settings.deadLetters(), settings.producer(), clients);
        parts.addFirst(letters::close);
        return Optional.of(letters);
    }

    @Override
    public void close() {
        for (Part next = parts.poll(); next != null; next = parts.poll()) {
            next.close();
        }
    }
}
