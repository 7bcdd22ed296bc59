package weir.feature.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import weir.http.Refusal;

/** The formats of records in a body. REST is version 2 of Confluent's REST proxy API, as in Strimzi's bridge. */
public enum RecordFormat {
    RAW("application/octet-stream"),
    /** One value on each line; the last line break is optional. */
    LINES("application/x-ndjson"),
    /** Each value after its length as four bytes, big-endian. */
    FRAMES("application/vnd.weir.frames"),
    /** {@code {"records":[{"key":K,"value":V,"partition":P}]}}; keys and values keep their JSON text. */
    REST_JSON("application/vnd.kafka.json.v2+json"),
    /** The form of {@link #REST_JSON} with keys and values in base64. */
    REST_BINARY("application/vnd.kafka.binary.v2+json");

    final String contentType;

    RecordFormat(String contentType) {
        this.contentType = contentType;
    }

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
     * @param key key of each record if the body contains no keys
     * @param most maximum number of records
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
            throw Refusal.bad("the body has no record");
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
            boolean carriageReturn = end > begin && body[end - 1] == '\r';
            records.add(
                    new ProducerRecord<>(topic, key, Arrays.copyOfRange(body, begin, carriageReturn ? end - 1 : end)));
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
                throw Refusal.bad("after frame " + records.size() + " the body has only " + rest.remaining()
                        + " bytes, but the length field of a frame has 4 bytes");
            }
            int length = rest.getInt();
            if (length < 0 || length > rest.remaining()) {
                throw Refusal.bad("frame " + (records.size() + 1) + " must have " + Integer.toUnsignedString(length)
                        + " bytes, found " + rest.remaining());
            }
            byte[] value = new byte[length];
            rest.get(value);
            records.add(new ProducerRecord<>(topic, key, value));
        }
        return records;
    }

    /** Refuses too many records, because even a short record costs memory. */
    static void refuseMany(List<?> records, int most) throws Refusal {
        if (records.size() == most) {
            throw new Refusal(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "a body must have at most " + most + " records, found " + records.size());
        }
    }

    /**
     * A parser of records in version 2 of the REST API. Record headers, with values in base64, are an extension by
     * Strimzi's bridge.
     *
     * @param binary true for keys and values in base64, false for JSON
     */
    record RestRecords(String topic, boolean binary, int most) {
        private static final JsonFactory JSON = new JsonFactory();

        List<ProducerRecord<byte[], byte[]>> in(byte[] body) throws Refusal {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            try (JsonParser json = JSON.createParser(body)) {
                expect(json.nextToken() == JsonToken.START_OBJECT, json, "an object with \"records\"");
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    boolean wanted = json.currentName().equals("records");
                    JsonToken begin = json.nextToken();
                    if (wanted) {
                        expect(begin == JsonToken.START_ARRAY, json, "a list of records");
                        while (json.nextToken() != JsonToken.END_ARRAY) {
                            RecordFormat.refuseMany(records, most);
                            records.add(record(json));
                        }
                    } else {
                        json.skipChildren();
                    }
                }
                expect(json.nextToken() == null, json, "no more content");
            } catch (JsonProcessingException e) {
                throw Refusal.bad("the body is not JSON with records: " + e.getOriginalMessage());
            } catch (IOException e) {
                throw Refusal.bad("the body cannot be read: " + e.getMessage());
            }
            return records;
        }

        private ProducerRecord<byte[], byte[]> record(JsonParser json) throws IOException, Refusal {
            expect(json.currentToken() == JsonToken.START_OBJECT, json, "a record as an object");
            byte[] key = null;
            byte[] value = null;
            Integer partition = null;
            List<Header> headers = List.of();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken token = json.nextToken();
                switch (name) {
                    case "key" -> key = bytes(json);
                    case "value" -> value = bytes(json);
                    case "headers" -> headers = headers(json);
                    case "partition" -> {
                        if (token != JsonToken.VALUE_NULL) {
                            expect(
                                    token == JsonToken.VALUE_NUMBER_INT && json.getIntValue() >= 0,
                                    json,
                                    "a partition of at least 0");
                            partition = json.getIntValue();
                        }
                    }
                    default -> json.skipChildren();
                }
            }
            return new ProducerRecord<>(topic, partition, key, value, headers);
        }

        private byte @Nullable [] bytes(JsonParser json) throws IOException, Refusal {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return null;
            }
            return binary ? base64(json) : written(json);
        }

        private static byte[] written(JsonParser json) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JsonGenerator copy = JSON.createGenerator(bytes)) {
                copy.copyCurrentStructureExact(json);
            }
            return bytes.toByteArray();
        }

        private static byte[] base64(JsonParser json) throws IOException, Refusal {
            expect(json.currentToken() == JsonToken.VALUE_STRING, json, "text in base64");
            try {
                return Base64.getDecoder().decode(json.getText());
            } catch (IllegalArgumentException e) {
                throw Refusal.bad("a key, value or header in line "
                        + json.currentLocation().getLineNr() + " of the body is not base64");
            }
        }

        private static List<Header> headers(JsonParser json) throws IOException, Refusal {
            expect(json.currentToken() == JsonToken.START_ARRAY, json, "a list of headers");
            List<Header> headers = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                expect(json.currentToken() == JsonToken.START_OBJECT, json, "a header as an object");
                String key = "";
                byte[] value = null;
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    JsonToken token = json.nextToken();
                    if (name.equals("key")) {
                        expect(token == JsonToken.VALUE_STRING, json, "the name of a header");
                        key = json.getText();
                    } else if (name.equals("value") && token != JsonToken.VALUE_NULL) {
                        value = base64(json);
                    } else {
                        json.skipChildren();
                    }
                }
                headers.add(new RecordHeader(key, value));
            }
            return headers;
        }

        private static void expect(boolean found, JsonParser json, String wanted) throws Refusal {
            if (!found) {
                throw Refusal.bad("line " + json.currentLocation().getLineNr() + " of the body must have " + wanted);
            }
        }
    }
}
