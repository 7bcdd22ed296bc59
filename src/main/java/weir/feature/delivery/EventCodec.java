package weir.feature.delivery;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.event.StructuredEvent;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;

/**
 * A converter between events, HTTP requests and Kafka records. It reads events in binary or structured mode, and writes
 * records in binary mode. One thread owns it.
 */
final class EventCodec {
    private static final int DUE = 16;

    private static final byte[] NOTHING = {};

    private final EventAttributes attributes = new EventAttributes();
    private final byte[] id = new byte[LoadEvent.ID_LENGTH];
    private final byte[] identity = new byte[Identity.BYTES];

    EventAttributes attributes() {
        return attributes;
    }

    byte[] read(HttpHeaders headers, byte[] body) throws MalformedEvent {
        return attributes.readHttp(headers.get(HttpHeaderNames.CONTENT_TYPE), headers.iteratorCharSequence(), body);
    }

    CarriedEvent event(byte[] data, int holders) {
        return new CarriedEvent(Arrays.copyOf(attributes.lines(), attributes.length()), data, due(), holders);
    }

    long due() {
        return LoadEvent.readId(id, attributes.copy("id", id), identity)
                ? ByteBuffer.wrap(identity).getLong(DUE)
                : CarriedEvent.NO_TIME;
    }

    static ProducerRecord<byte[], byte[]> record(String topic, EventAttributes attributes, byte[] data) {
        List<Header> headers = new ArrayList<>();
        attributes.visitKafka((name, value) -> headers.add(new RecordHeader(name, value)));
        return new ProducerRecord<>(topic, null, attributes.bytes("partitionkey"), data, headers);
    }

    /** Reads an event. A record without an event becomes an event whose id is the record's place in the topic. */
    CarriedEvent read(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value() == null ? NOTHING : record.value();
        try {
            return event(data(record, value), 1);
        } catch (MalformedEvent none) {
            return plain(record, value);
        }
    }

    private byte[] data(ConsumerRecord<byte[], byte[]> record, byte[] value) throws MalformedEvent {
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
        Header header = record.headers().lastHeader(Identity.HEADER);
        byte @Nullable [] bytes = header == null ? null : header.value();
        attributes.clear();
        try {
            attributes.set("specversion", EventAttributes.SPEC_VERSION);
            attributes.set(
                    "id",
                    bytes == null || bytes.length != Identity.BYTES
                            ? record.topic() + "-" + record.partition() + "-" + record.offset()
                            : HexFormat.of().formatHex(bytes));
            attributes.set("source", "/topics/" + record.topic());
            attributes.set("type", "weir.record");
        } catch (MalformedEvent e) {
            throw new IllegalStateException("a record is not an event: " + e.getMessage(), e);
        }
        return event(value, 1);
    }
}
