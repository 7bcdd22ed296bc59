package weir.feature.delivery;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.feature.delivery.EventDestination.DeliveryAttempt;
import weir.feature.http.Forwarder;
import weir.feature.http.Forwarder.Shipment;

/** A writer of dead letters to a topic. It uses {@code acks=all} despite other properties of the user. */
final class DeadLetterWriter implements AutoCloseable {
    private static final Duration LAST = Duration.ofSeconds(1);
    private static final int MOST_DATA = 1_024;
    /** The value of {@code knativeerrorcode} if the subscriber gave no answer. */
    private static final int NO_ANSWER = 500;

    private final String topic;
    private final Forwarder forwarder;

    DeadLetterWriter(EventProcessContext context) {
        SortedMap<String, String> safe = new TreeMap<>(context.settings().producer());
        safe.put("acks", "all");
        this.topic = context.settings().deadLetters();
        this.forwarder = context.forwarder(safe, "weir-event-process-dead-letters");
    }

    /** Adds Knative's attributes; {@code knativeerrordata} is the beginning of the last answer in base64. */
    static CarriedEvent letter(CarriedEvent event, String destination, DeliveryAttempt outcome) {
        EventAttributes attributes = new EventAttributes();
        try {
            attributes.copyFrom(event.lines());
            attributes.replace("knativeerrordest", destination);
            attributes.replace("knativeerrorcode", String.valueOf(outcome.status() > 0 ? outcome.status() : NO_ANSWER));
            String data = Base64.getEncoder().encodeToString(outcome.body());
            attributes.replace("knativeerrordata", data.substring(0, Math.min(data.length(), MOST_DATA)));
        } catch (MalformedEvent e) {
            throw new IllegalStateException("writing an event to the dead letter topic: " + e.getMessage(), e);
        }
        byte[] lines = Arrays.copyOf(attributes.lines(), attributes.length());
        return new CarriedEvent(lines, event.data(), event.dueNanos(), 1);
    }

    EventDestination on(EventLoop loop) {
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
        forwarder.close(LAST);
    }
}
