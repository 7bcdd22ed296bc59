package weir.load.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import weir.load.Identity;
import weir.load.KeySource;
import weir.load.Message;
import weir.load.Outbox;
import weir.load.Sender;

/**
 * A Kafka producer. It copies key, value and headers into its batch before {@code send} returns, so each sender makes its
 * messages in the same few arrays.
 */
final class ClientSender implements Sender {
    private static final List<Header> NO_HEADERS = List.of();

    private final Producer<byte[], byte[]> producer;
    private final List<String> topics;
    private final Duration timeout;
    private final AckedEnds ends;

    ClientSender(Map<String, Object> properties, List<String> topics, Duration timeout, AckedEnds ends) {
        this(new KafkaProducer<>(properties), topics, timeout, ends);
    }

    ClientSender(Producer<byte[], byte[]> producer, List<String> topics, Duration timeout, AckedEnds ends) {
        this.producer = producer;
        this.topics = topics;
        this.timeout = timeout;
        this.ends = ends;
        // Otherwise the first message of each topic would wait for metadata.
        topics.forEach(producer::partitionsFor);
    }

    @Override
    public void carry(Outbox outbox) {
        Flights flights = new Flights(outbox.outcomes(), ends);
        Message message = outbox.message();
        List<Header> identity = List.of(new RecordHeader(Identity.HEADER, message.identity()));
        while (outbox.awaitNext()) {
            Flight flight = flights.take();
            flight.depart(message, outbox.sentNanos());
            try {
                var unused = producer.send(record(message, identity), flight);
            } catch (RuntimeException refused) {
                flight.onCompletion(null, refused);
            }
            outbox.queued();
        }
        producer.flush();
    }

    private ProducerRecord<byte[], byte[]> record(Message message, List<Header> identity) {
        byte[] key = message.key();
        return new ProducerRecord<>(
                topics.get(message.topic()),
                null,
                null,
                key == KeySource.NONE ? null : key,
                message.value(),
                message.header() ? identity : NO_HEADERS);
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

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
