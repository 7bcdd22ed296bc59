package weir.bridge.delivery;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.event.StructuredEvent;

/** Events as records of Kafka: in binary mode out, in either mode in. Belongs to one thread. */
final class EventRecords {
    /** The header in which our messages have their identity where it is not in their value. */
    private static final String IDENTITY = "weir";

    private static final int IDENTITY_BYTES = 24;
    private static final byte[] NOTHING = {};
    private static final byte[] HEXADECIMAL = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private final EventReader reader = new EventReader();

    /** An event for a topic; its key is the attribute {@code partitionkey}, of the extension of this name. */
    static ProducerRecord<byte[], byte[]> write(String topic, EventAttributes attributes, byte[] data) {
        List<Header> headers = new ArrayList<>();
        attributes.visitKafka((name, value) -> headers.add(new RecordHeader(name, value)));
        return new ProducerRecord<>(topic, null, attributes.bytes("partitionkey"), data, headers);
    }

    /** The event that a record is. One that is none becomes one, with its place as its id. */
    CarriedEvent read(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? NOTHING : record.value();
        try {
            return reader.event(data(record, value), 1);
        } catch (MalformedEvent none) {
            return plain(record, value);
        }
    }

    private byte[] data(ConsumerRecord<byte[], byte[]> record, byte[] value) throws MalformedEvent {
        EventAttributes attributes = reader.attributes();
        attributes.clear();
        for (Header header : record.headers()) {
            attributes.fromKafka(header.key(), header.value());
        }
        String type = attributes.value("datacontenttype");
        byte[] data = value;
        if (type != null && StructuredEvent.is(type)) {
            attributes.clear();
            data = StructuredEvent.read(type, value, attributes);
        }
        attributes.check();
        return data;
    }

    private CarriedEvent plain(ConsumerRecord<byte[], byte[]> record, byte[] value) {
        EventAttributes attributes = reader.attributes();
        attributes.clear();
        try {
            attributes.set("specversion", EventAttributes.SPEC_VERSION);
            attributes.set("id", id(record));
            attributes.set("source", "/topics/" + record.topic());
            attributes.set("type", "weir.record");
        } catch (MalformedEvent e) {
            throw new IllegalStateException("a record that cannot be an event: " + e.getMessage(), e);
        }
        return reader.event(value, 1);
    }

    private static String id(ConsumerRecord<byte[], byte[]> record) {
        Header identity = record.headers().lastHeader(IDENTITY);
        byte @Nullable [] bytes = identity == null ? null : identity.value();
        if (bytes == null || bytes.length != IDENTITY_BYTES) {
            return record.topic() + "-" + record.partition() + "-" + record.offset();
        }
        StringBuilder hexadecimal = new StringBuilder(2 * IDENTITY_BYTES);
        for (byte each : bytes) {
            hexadecimal.append((char) HEXADECIMAL[(each >> 4) & 15]).append((char) HEXADECIMAL[each & 15]);
        }
        return hexadecimal.toString();
    }
}
