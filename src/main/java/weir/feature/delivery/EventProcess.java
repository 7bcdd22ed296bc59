package weir.feature.delivery;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import weir.event.MalformedEvent;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.HeldEvent.OffsetMark;
import weir.feature.delivery.EventProcessContext.KafkaClients;
import weir.feature.delivery.EventProcessFigures.Checkpoint;
import weir.feature.delivery.EventProcessFigures.Part;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.feature.delivery.EventRequests.EventUse;
import weir.feature.http.Forwarder;
import weir.feature.http.Forwarder.Shipment;
import weir.http.Access;
import weir.http.Answers;
import weir.http.ByteBudget;
import weir.http.EventLoops;
import weir.http.HttpServer;
import weir.http.HttpServer.RequestLimits;
import weir.http.HttpServer.ServerCounters;
import weir.http.HttpServer.ServerSettings;
import weir.http.Refusal;
import weir.http.RequestService.Reply;
import weir.http.RequestService.RequestBody;
import weir.http.Resource;
import weir.worker.ServerAssignment;

/** A process on the path of events. */
// The end of an event loop needs no callback.
@SuppressWarnings("FutureReturnValueIgnored")
final class EventProcess implements ServerAssignment.Server {
    private static final Duration LAST = Duration.ofSeconds(1);

    private final EventProcessContext context;
    private final HttpServer server;
    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final EventUse use;

    private EventProcess(EventProcessContext context) throws IOException {
        this.context = context;
        EventProcessSettings settings = context.settings();
        try {
            use = use();
            InetSocketAddress at = new InetSocketAddress(settings.host(), settings.port());
            ServerSettings place = new ServerSettings(
                    RequestLimits.DEFAULT, Access.to(at, "", false), Duration.ZERO, Optional.empty());
            EventRequests requests = new EventRequests(context, use);
            server = HttpServer.start(at, place, requests, context.budget(), context.server(), context.loops());
        } catch (IOException | RuntimeException e) {
            closers.forEach(Runnable::run);
            context.loops().shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    /**
     * Starts the process, and returns once it listens. A process that reads a topic resumes at its committed offsets.
     *
     * @param clock of the run, which also gives the due times of events
     * @throws IOException if it cannot listen there
     */
    static EventProcess start(EventProcessSettings settings, LongSupplier clock) throws IOException {
        return start(settings, KafkaClients.REAL, clock);
    }

    static EventProcess start(EventProcessSettings settings, KafkaClients clients, LongSupplier clock)
            throws IOException {
        ServerCounters counters = new ServerCounters();
        // Half of the machine is for the sender and the receiver. One loop for two cores wakes no other thread for an
        // event.
        int loops = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return new EventProcess(new EventProcessContext(
                settings,
                clients,
                EventLoops.group(loops),
                new ByteBudget(settings.dispatch().memory().bytes()),
                counters,
                new EventProcessFigures(counters),
                clock));
    }

    private EventUse use() {
        return switch (context.settings().role()) {
            case INGRESS -> new NextHop(context).ingress();
            case FILTER -> new NextHop(context).filter();
            case MEMORY_CHANNEL -> new MemoryBuffer(subscribers());
            case KAFKA_CHANNEL -> topic(writer());
            case SOURCE ->
                topic((codec, data, body, reply, in) -> {
                    throw new Refusal(
                            HttpResponseStatus.METHOD_NOT_ALLOWED,
                            "a source reads events from a topic and accepts none by HTTP",
                            Map.of("allow", Resource.LOOK.allow()));
                });
        };
    }

    private EventUse topic(EventUse accepting) {
        TopicBuffer topic = new TopicBuffer(subscribers(), accepting);
        closers.addFirst(topic::close);
        return topic;
    }

    /** The writing part of a Kafka channel. It answers a request after the brokers have acknowledged the event. */
    private EventUse writer() {
        Forwarder forwarder = context.forwarder(context.settings().producer(), "weir-event-process-writer");
        closers.addFirst(() -> forwarder.close(LAST));
        return (codec, data, body, reply, in) -> {
            long due = codec.due();
            ProducerRecord<byte[], byte[]> record =
                    EventCodec.record(context.settings().topic(), codec.attributes(), data);
            forwarder.forward(new WrittenEvent(context, List.of(record), body, reply, due, in, context.now()));
        };
    }

    private Subscribers subscribers() {
        Subscribers all = new Subscribers(context);
        closers.addFirst(all::close);
        return all;
    }

    InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void limitTimes(long fromNanos, long toNanos) {
        context.figures().limitTimes(fromNanos, toNanos);
    }

    @Override
    public void report(ObjDoubleConsumer<String> into) {
        String fault = use.fault();
        if (!fault.isEmpty()) {
            throw new IllegalStateException(fault);
        }
        context.figures().report(into);
        into.accept("events.held", (double) use.heldLately());
    }

    /** Accepts no more events, delivers the stored events, and ends within ten seconds. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        long deadline = context.now() + HttpServer.LAST.toNanos();
        server.drain(HttpServer.LAST);
        use.drain(deadline);
        server.close();
        closers.forEach(Runnable::run);
        context.loops().shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(HttpServer.LAST.toMillis());
    }

    private final class MemoryBuffer implements EventUse {
        private static final long POLL_NANOS = 1_000_000;

        private final List<Subscribers.Queue> queues = new ArrayList<>();
        private final LongAdder accepted = new LongAdder();

        private final LongAdder settled = new LongAdder();
        private final LongAdder done = new LongAdder();

        MemoryBuffer(Subscribers subscribers) {
            for (int i = 0; i < subscribers.count(); i++) {
                boolean first = i == 0;
                queues.add(subscribers.queue(i, false, event -> settle(event.event, first)));
            }
        }

        private void settle(CarriedEvent event, boolean first) {
            if (first) {
                settled.increment();
            }
            if (event.release()) {
                context.budget().release(event.size());
            }
            done.increment();
        }

        @Override
        public void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos) throws Refusal {
            CarriedEvent event = codec.event(data, queues.size());
            int more = event.size() - body.length();
            if (more < 0) {
                context.budget().release(-more);
            } else if (!context.budget().take(more)) {
                throw EventRequests.memoryFull();
            }
            long now = context.now();
            context.figures().accepted(event.dueNanos(), inNanos, now);
            accepted.increment();
            for (Subscribers.Queue queue : queues) {
                queue.add(new HeldEvent(event, 0, OffsetMark.NONE, now));
            }
            reply.answer(Answers.queued());
        }

        @Override
        public long heldLately() {
            // The order matters: an event that is accepted and settled in between must not lower the count.
            long gone = settled.sum();
            return accepted.sum() - gone;
        }

        @Override
        public void drain(long deadlineNanos) {
            while (done.sum() < accepted.sum() * queues.size() && context.now() < deadlineNanos) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    /** A Kafka channel or a source, which passes a topic's records to all subscribers. */
    private final class TopicBuffer implements EventUse {
        private static final String GROUP = "group.id";
        private static final long SMALLEST_FETCH = 1 << 20;
        private static final long LARGEST_FETCH = 50 << 20;

        private final List<TopicReader> readers = new ArrayList<>();
        private final EventUse accepting;

        /** Starts one consumer for each subscriber, each with its own committed offsets. */
        TopicBuffer(Subscribers subscribers, EventUse accepting) {
            this.accepting = accepting;
            long memory = context.dispatch().memory().bytes() / subscribers.count();
            for (int i = 0; i < subscribers.count(); i++) {
                TopicReader reader = new TopicReader(
                        context.clients().consumer(properties(context.settings().consumer(), memory, i + 1)),
                        context.settings().topic(),
                        memory,
                        context.clock(),
                        "weir-event-process-reader-" + (i + 1));
                readers.add(reader);
                // A source does not write the records that it fetches.
                boolean tells = context.settings().role() == Role.KAFKA_CHANNEL && i == 0;
                Subscribers.Queue queue = subscribers.queue(i, true, reader::settle);
                reader.start(event -> {
                    if (tells) {
                        context.figures().fetched(event.partition, event.mark.offset, event.beginNanos);
                    }
                    queue.add(event);
                });
            }
        }

        private static SortedMap<String, String> properties(SortedMap<String, String> asked, long memory, int number) {
            SortedMap<String, String> properties = new TreeMap<>(asked);
            properties.put(GROUP, asked.getOrDefault(GROUP, "weir") + "-" + number);
            properties.put("enable.auto.commit", "false");
            properties.putIfAbsent("auto.offset.reset", "earliest");
            long most = Math.max(SMALLEST_FETCH, Math.min(LARGEST_FETCH, memory / 2));
            properties.putIfAbsent("fetch.max.bytes", String.valueOf(most));
            return properties;
        }

        @Override
        public void take(EventCodec codec, byte[] data, RequestBody body, Reply reply, long inNanos)
                throws Refusal, MalformedEvent {
            accepting.take(codec, data, body, reply, inNanos);
        }

        @Override
        public CompletionStage<Long> held() {
            return readers.get(0).held();
        }

        @Override
        public long heldLately() {
            return readers.get(0).heldLately();
        }

        @Override
        public String fault() {
            return readers.stream()
                    .map(TopicReader::fault)
                    .filter(fault -> !fault.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        @Override
        public void drain(long deadlineNanos) {
            readers.forEach(reader -> reader.drain(deadlineNanos));
            readers.forEach(reader -> reader.await(deadlineNanos));
        }

        void close() {
            readers.forEach(TopicReader::close);
        }
    }

    private record WrittenEvent(
            EventProcessContext context,
            List<ProducerRecord<byte[], byte[]>> records,
            RequestBody body,
            Reply reply,
            long dueNanos,
            long inNanos,
            long handedNanos)
            implements Shipment {
        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            context.budget().release(body.length());
            if (fault == null) {
                acked(metadata);
                reply.answer(Answers.queued());
            } else {
                reply.answer(refused(fault));
            }
        }

        private void acked(@Nullable RecordMetadata metadata) {
            EventProcessFigures figures = context.figures();
            long now = context.now();
            figures.accepted(dueNanos, inNanos, handedNanos);
            figures.age(Checkpoint.ACKED, dueNanos, now);
            figures.took(Part.WRITING, dueNanos, now - handedNanos);
            if (metadata != null && metadata.hasOffset()) {
                figures.acked(metadata.partition(), metadata.offset(), now);
            }
        }

        /** The answer to a rejected event, whose status asks for a retry unless the event is too large. */
        private FullHttpResponse refused(Exception fault) {
            HttpResponseStatus status = HttpResponseStatus.SERVICE_UNAVAILABLE;
            if (fault instanceof RecordTooLargeException) {
                status = HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
            } else if (fault instanceof BufferExhaustedException) {
                status = HttpResponseStatus.TOO_MANY_REQUESTS;
            }
            context.server().count(status.code());
            return Answers.refused(new Refusal(status, String.valueOf(fault.getMessage())));
        }
    }
}
