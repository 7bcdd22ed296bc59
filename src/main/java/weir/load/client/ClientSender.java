package weir.load.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import weir.load.engine.AckedEnds;
import weir.load.message.Message;
import weir.load.send.Outbox;
import weir.load.send.Sender;

/**
 * A Kafka producer. It copies key, value and headers into its batch before {@code send} returns, so each sender makes its
 * messages in the same few arrays.
 */
final class ClientSender implements Sender {
    private final Producer<byte[], byte[]> producer;
    private final boolean intercepted;
    private final List<String> topics;
    private final Duration timeout;
    private final AckedEnds ends;
    private final boolean events;
    private final LongSupplier clock;
    private volatile SortedMap<String, Object> lastMetrics = new TreeMap<>();

    /** {@code intercepted}: the producer has interceptors; {@code events}: records are events. */
    ClientSender(
            Map<String, Object> properties,
            boolean intercepted,
            List<String> topics,
            Duration timeout,
            boolean events,
            LongSupplier clock) {
        this.producer = new KafkaProducer<>(properties);
        this.intercepted = intercepted;
        this.topics = topics;
        this.timeout = timeout;
        this.ends = new AckedEnds(topics.size());
        this.events = events;
        this.clock = clock;
        // Otherwise the first message of each topic would wait for metadata.
        topics.forEach(producer::partitionsFor);
    }

    @Override
    public void carry(Outbox outbox) {
        InFlightMessages flights = new InFlightMessages(outbox.outcomes(), ends, clock);
        Message message = outbox.message();
        RecordFactory records = new RecordFactory(topics, message, intercepted, events);
        while (outbox.awaitNext()) {
            InFlightMessage flight = flights.take();
            flight.depart(message, outbox.sentNanos());
            try {
                var unused = producer.send(records.next(), flight);
            } catch (RuntimeException refused) {
                flight.onCompletion(null, refused);
            }
            outbox.queued();
            flights.check();
        }
        producer.flush();
        flights.check();
    }

    AckedEnds ends() {
        return ends;
    }

    Map<MetricName, ? extends Metric> metrics() {
        return producer.metrics();
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    /** As they were before it was closed. */
    SortedMap<String, Object> lastMetrics() {
        return lastMetrics;
    }

    @Override
    public void close() {
        if (lastMetrics.isEmpty()) {
            lastMetrics = ClientExplanation.all(producer.metrics());
        }
        producer.close(Duration.ZERO);
    }
}
