package weir.load.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.LoadEvent;
import weir.load.message.Message;

/**
 * The maker of one sender's records.
 *
 * <p>Most messages stand in the same arrays as the one before. The client copies them before {@code send} returns, so
 * the record before will do again: a third less garbage for each send.
 */
final class RecordFactory {
    private static final List<Header> NO_HEADERS = List.of();
    private static final ProducerRecord<byte[], byte[]> NONE = new ProducerRecord<>("none", new byte[0]);

    private final List<String> topics;
    private final Message message;
    private final boolean shared;
    private final boolean events;
    /** The headers of a record that needs some; what changes in them is in arrays of ours. */
    private final List<Header> headers;

    private final byte[] id = new byte[LoadEvent.ID_LENGTH];
    private final List<ProducerRecord<byte[], byte[]>> latest;

    /**
     * {@code shared}: others than the client, such as interceptors, see the records, and may keep or change them; {@code
     * events}: records are events in binary mode.
     */
    RecordFactory(List<String> topics, Message message, boolean shared, boolean events) {
        this.topics = topics;
        this.message = message;
        this.shared = shared;
        this.events = events;
        this.headers = events
                ? List.of(
                        attribute("specversion", EventAttributes.SPEC_VERSION),
                        new RecordHeader(EventAttributes.KAFKA_PREFIX + "id", id),
                        attribute("source", LoadEvent.SOURCE),
                        attribute("type", LoadEvent.TYPE),
                        new RecordHeader(EventAttributes.CONTENT_TYPE, ascii("application/octet-stream")))
                : List.of(new RecordHeader(Identity.HEADER, message.identity()));
        this.latest = new ArrayList<>(Collections.nCopies(topics.size(), NONE));
    }

    private static Header attribute(String name, String value) {
        return new RecordHeader(EventAttributes.KAFKA_PREFIX + name, ascii(value));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The record for what the message is now. */
    ProducerRecord<byte[], byte[]> next() {
        if (events) {
            LoadEvent.writeId(message.identified(), id);
        }
        byte @Nullable [] key = message.key() == KeySource.NONE ? null : message.key();
        ProducerRecord<byte[], byte[]> before = latest.get(message.topic());
        if (before.value() == message.value() && before.key() == key && !shared) {
            return before;
        }
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topics.get(message.topic()),
                null,
                null,
                key,
                message.value(),
                events || message.header() ? headers : NO_HEADERS);
        latest.set(message.topic(), record);
        return record;
    }
}
