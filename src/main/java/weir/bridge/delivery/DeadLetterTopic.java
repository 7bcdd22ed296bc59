package weir.bridge.delivery;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.bridge.kafka.Forwarder;
import weir.bridge.kafka.ProducerFaults;
import weir.bridge.kafka.Shipment;
import weir.event.EventAttributes;

/** A topic for dead letters. One is in it when all replicas have it, whatever else is written how. */
final class DeadLetterTopic implements Subscribers.LoopOutlet, AutoCloseable {
    private static final Duration LAST = Duration.ofSeconds(1);

    private final String topic;
    private final Forwarder forwarder;

    DeadLetterTopic(String topic, SortedMap<String, String> properties, KafkaClients clients) {
        SortedMap<String, String> safe = new TreeMap<>(properties);
        safe.put("acks", "all");
        this.topic = topic;
        this.forwarder = new Forwarder(clients.producer(safe), Forwarder.patience(safe), "weir-rung-dead-letters");
    }

    @Override
    public Outlet on(EventLoop loop) {
        return (event, heard) -> {
            EventAttributes attributes = new EventAttributes();
            attributes.copyFrom(event.lines());
            List<ProducerRecord<byte[], byte[]>> records = List.of(EventRecords.write(topic, attributes, event.data()));
            forwarder.forward(new Letter(records, loop, heard));
        };
    }

    private record Letter(List<ProducerRecord<byte[], byte[]>> records, EventLoop loop, Outlet.Heard heard)
            implements Shipment {
        @Override
        public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
            Outcome outcome = fault == null
                    ? Outcome.answered(ProducerFaults.status(null), CarriedEvent.NO_TIME)
                    : Outcome.none(ProducerFaults.status(fault), String.valueOf(fault), CarriedEvent.NO_TIME);
            loop.execute(() -> heard.heard(outcome));
        }
    }

    @Override
    public void close() {
        forwarder.close(LAST);
    }
}
