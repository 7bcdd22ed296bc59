package weir.feature.delivery;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.feature.delivery.Dispatcher.HeldEvent;
import weir.feature.delivery.Dispatcher.RetryPolicy;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.feature.delivery.EventProcessFigures.Checkpoint;
import weir.feature.delivery.EventProcessFigures.Fact;
import weir.feature.http.Forwarder;
import weir.feature.http.Forwarder.Shipment;
import weir.http.HttpTarget;
import weir.time.MachineClock;

/** The subscribers of an event process. Each subscriber has a dispatcher and connections on one event loop. */
// A timer that is pending when its loop ends never fires.
@SuppressWarnings("FutureReturnValueIgnored")
final class Subscribers implements AutoCloseable {
    private static final Duration LAST = Duration.ofSeconds(1);

    private final EventProcessContext context;
    private final List<HttpTarget> targets;
    private final Optional<HttpTarget> deadLetters;
    /** The writer of dead letters to a topic. It uses {@code acks=all} despite other properties of the user. */
    private final Optional<Forwarder> letters;

    Subscribers(EventProcessContext context) {
        EventProcessSettings settings = context.settings();
        this.context = context;
        this.targets =
                settings.next().stream().map(url -> HttpTarget.of(url).get(0)).toList();
        this.deadLetters = settings.parksByHttp()
                ? Optional.of(HttpTarget.of(settings.deadLetters()).get(0))
                : Optional.empty();
        SortedMap<String, String> safe = new TreeMap<>(settings.producer());
        safe.put("acks", "all");
        this.letters = settings.deadLetters().isEmpty() || settings.parksByHttp()
                ? Optional.empty()
                : Optional.of(context.forwarder(safe, "weir-event-process-dead-letters"));
    }

    int count() {
        return targets.size();
    }

    /** @param fetched true if this process fetches the events from Kafka */
    Queue queue(int subscriber, boolean fetched, Consumer<HeldEvent> done) {
        EventLoop loop = context.loops().next();
        PathSpec dispatch = context.dispatch();
        HttpTarget target = targets.get(subscriber);
        int connections = dispatch.order() == PathSpec.Order.PARTITION
                ? EventConnections.MANY
                : Math.max(1, dispatch.concurrency());
        Optional<EventDestination> sink = deadLetters.isPresent()
                ? deadLetters.map(url -> new EventConnections(url, loop, EventConnections.MANY, context))
                : letters.map(forwarder -> topic(forwarder, loop));
        Dispatcher dispatcher = new Dispatcher(
                new RetryPolicy(dispatch.delivery(), MachineClock.WALL),
                dispatch.order(),
                dispatch.concurrency(),
                new EventConnections(target, loop, connections, context),
                sink,
                target.url(),
                (nanos, what) -> loop.schedule(what, nanos, TimeUnit.NANOSECONDS),
                new Settling(context, subscriber == 0, fetched, done));
        return new Queue(loop, dispatcher);
    }

    private EventDestination topic(Forwarder forwarder, EventLoop loop) {
        String topic = context.settings().deadLetters();
        return (event, callback) -> {
            EventAttributes attributes = new EventAttributes();
            attributes.copyFrom(event.lines());
            forwarder.forward(
                    new DeadLetter(List.of(EventCodec.record(topic, attributes, event.data())), loop, callback));
        };
    }

    private record DeadLetter(
            List<ProducerRecord<byte[], byte[]>> records, EventLoop loop, Consumer<DeliveryAttempt> callback)
            implements Shipment {
        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            DeliveryAttempt outcome = fault == null
                    ? DeliveryAttempt.answered(HttpResponseStatus.OK.code(), CarriedEvent.NO_TIME)
                    : DeliveryAttempt.none(Forwarder.status(fault).code(), String.valueOf(fault), CarriedEvent.NO_TIME);
            loop.execute(() -> callback.accept(outcome));
        }
    }

    @Override
    public void close() {
        letters.ifPresent(forwarder -> forwarder.close(LAST));
    }

    private record Settling(EventProcessContext context, boolean first, boolean fetched, Consumer<HeldEvent> done)
            implements Dispatcher.Listener {
        @Override
        public void settled(HeldEvent event, Fact fact, DeliveryAttempt outcome) {
            if (first && fact == Fact.DELIVERED) {
                delivered(event, outcome);
            } else if (first) {
                context.figures().count(fact);
            }
            done.accept(event);
        }

        private void delivered(HeldEvent event, DeliveryAttempt outcome) {
            EventProcessFigures figures = context.figures();
            long due = event.event.dueNanos();
            if (fetched) {
                figures.age(Checkpoint.FETCHED, due, event.beginNanos);
            }
            figures.delivered(due, event.beginNanos, event.firstOutNanos, outcome.outNanos(), context.now());
        }

        @Override
        public void retried(HeldEvent event) {
            if (first) {
                context.figures().count(Fact.RETRIED);
            }
        }
    }

    /**
     * The queue of events for the {@link Dispatcher} of one subscriber. Other threads add events, and the dispatcher's
     * event loop takes them. One wake-up of the loop takes all queued events.
     */
    static final class Queue {
        private final EventLoop loop;
        private final Dispatcher dispatcher;
        private final ConcurrentLinkedQueue<HeldEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean woken = new AtomicBoolean();

        private Queue(EventLoop loop, Dispatcher dispatcher) {
            this.loop = loop;
            this.dispatcher = dispatcher;
        }

        void add(HeldEvent event) {
            if (loop.inEventLoop()) {
                drain();
                dispatcher.add(event);
                return;
            }
            waiting.add(event);
            if (woken.compareAndSet(false, true)) {
                loop.execute(() -> {
                    woken.set(false);
                    drain();
                });
            }
        }

        private void drain() {
            for (HeldEvent next = waiting.poll(); next != null; next = waiting.poll()) {
                dispatcher.add(next);
            }
        }
    }
}
