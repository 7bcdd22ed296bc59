package weir.bridge;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import weir.http.Refusal;

/**
 * The ways in which a body holds records. The two of version 2 of the REST interface are those of Confluent's REST proxy and
 * of Strimzi's bridge, so that one request fits all three.
 */
public enum RecordFormat {
    RAW("application/octet-stream"),
    /** Each line is a value; the last one may lack its end. */
    LINES("application/x-ndjson"),
    /** Each value stands behind its length, four bytes, big-endian. */
    FRAMES("application/vnd.weir.frames"),
    /** {@code {"records":[{"key":K,"value":V,"partition":P}]}}, keys and values being written as the JSON that they are. */
    REST_JSON("application/vnd.kafka.json.v2+json"),
    /** The same with keys and values in base64. */
    REST_BINARY("application/vnd.kafka.binary.v2+json");

    private final String contentType;

    RecordFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** The format of a content type; a body of one that is not known is one record. */
    static RecordFormat of(@Nullable String contentType) {
        if (contentType != null) {
            for (RecordFormat format : values()) {
                if (format.is(contentType)) {
                    return format;
                }
            }
        }
        return RAW;
    }

    private boolean is(String text) {
        return text.equals(contentType)
                || (text.indexOf(';') >= 0
                        && text.substring(0, text.indexOf(';'))
                                .strip()
                                .toLowerCase(Locale.ROOT)
                                .equals(contentType));
    }

    /**
     * The records of a body, in their order.
     *
     * @param key of each, where the body brings none
     * @param most records
     */
    List<ProducerRecord<byte[], byte[]>> records(String topic, byte @Nullable [] key, byte[] body, int most)
            throws Refusal {
        List<ProducerRecord<byte[], byte[]>> records = switch (this) {
            case RAW -> List.of(new ProducerRecord<>(topic, key, body));
            case LINES -> lines(topic, key, body, most);
            case FRAMES -> frames(topic, key, body, most);
            case REST_JSON -> new RestRecords(topic, false, most).in(body);
            case REST_BINARY -> new RestRecords(topic, true, most).in(body);
        };
        if (records.isEmpty()) {
            throw Refusal.bad("the body holds no record");
        }
        return records;
    }

    private static List<ProducerRecord<byte[], byte[]>> lines(
            String topic, byte @Nullable [] key, byte[] body, int most) throws Refusal {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        int begin = 0;
        while (begin < body.length) {
            refuseMany(records, most);
            int end = begin;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            boolean carriage = end > begin && body[end - 1] == '\r';
            records.add(new ProducerRecord<>(topic, key, Arrays.copyOfRange(body, begin, carriage ? end - 1 : end)));
            begin = end + 1;
        }
        return records;
    }

    private static List<ProducerRecord<byte[], byte[]>> frames(
            String topic, byte @Nullable [] key, byte[] body, int most) throws Refusal {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(body);
        while (rest.hasRemaining()) {
            refuseMany(records, most);
            if (rest.remaining() < Integer.BYTES) {
                throw Refusal.bad("behind frame " + records.size() + " stands " + rest.remaining()
                        + " bytes, too few for a length");
            }
            int length = rest.getInt();
            if (length < 0 || length > rest.remaining()) {
                throw Refusal.bad("frame " + (records.size() + 1) + " should have " + Integer.toUnsignedString(length)
                        + " bytes, and " + rest.remaining() + " are left");
            }
            byte[] value = new byte[length];
            rest.get(value);
            records.add(new ProducerRecord<>(topic, key, value));
        }
        return records;
    }

    /** Every record costs memory of its own, however short it is. */
    static void refuseMany(List<?> records, int most) throws Refusal {
        if (records.size() == most) {
            throw new Refusal(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE.code(), "a body has at most " + most + " records here");
        }
    }
}
