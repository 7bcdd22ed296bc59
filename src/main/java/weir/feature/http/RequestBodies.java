package weir.feature.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.feature.http.HttpConnection.HttpCall;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;
import weir.http.HttpTarget;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.LoadEvent;
import weir.load.message.Message;
import weir.load.send.Outbox;

/**
 * A writer of a batch's messages into a request body. The identity of a record is in its value or, if the value is too
 * short, in a header. The identity of an event is its attribute {@code id}.
 */
final class RequestBodies {
    private static final JsonFactory JSON = new JsonFactory();

    private static final byte[] BEGIN = ascii("{\"records\":[");
    private static final byte[] END = ascii("]}");
    private static final byte[] KEY = ascii("\"key\":\"");
    private static final byte[] VALUE = ascii("\"value\":\"");
    private static final byte[] HEADERS = ascii("\",\"headers\":[{\"key\":\"" + Identity.HEADER + "\",\"value\":\"");
    private static final byte[] HEADERS_END = ascii("\"}]}");
    private static final byte[] RECORD_END = ascii("\"}");
    private static final byte[] HEXADECIMAL = ascii("0123456789ABCDEF");

    private static final byte[] EVENT = ascii("{\"specversion\":\"" + EventAttributes.SPEC_VERSION + "\",\"source\":\""
            + LoadEvent.SOURCE + "\",\"type\":\"" + LoadEvent.TYPE + "\",\"id\":\"");
    private static final byte[] PARTITION_KEY = ascii("\",\"partitionkey\":\"");
    private static final byte[] DATA = ascii("\",\"datacontenttype\":\"text/plain\",\"data\":\"");
    private static final byte[] DATA_BASE64 =
            ascii("\",\"datacontenttype\":\"application/octet-stream\",\"data_base64\":\"");

    private final HttpSpec.Request request;
    private final boolean events;
    private final byte[] id = new byte[LoadEvent.ID_LENGTH];
    private byte[] encoded = new byte[1_024];

    RequestBodies(HttpSettings settings) {
        this.request = settings.http().request();
        this.events = settings.events();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void write(HttpCall call, Outbox messages) {
        boolean rest = request == HttpSpec.Request.REST_V2;
        if (rest) {
            call.body.writeBytes(BEGIN);
        }
        for (int i = 0; i < call.messages.count; i++) {
            Message message = messages.message(call.messages, i);
            byte[] key = message.key;
            call.contents += message.value.length + (key == null ? 0 : key.length);
            if (rest) {
                record(call.body, message, i == 0);
            } else if (events) {
                event(call, message);
            } else {
                plain(call, message, i == 0);
            }
        }
        if (rest) {
            call.body.writeBytes(END);
        }
    }

    private void plain(HttpCall call, Message message, boolean first) {
        if (!first) {
            call.body.writeByte('\n');
        }
        call.body.writeBytes(message.value);
        if (message.header) {
            if (!first) {
                call.identities.writeByte(',');
            }
            base64(call.identities, message.identity);
        }
        if (message.key != null) {
            escaped(call.key, message.key);
        }
    }

    private void event(HttpCall call, Message message) {
        LoadEvent.writeId(message.identified(), id);
        if (request != HttpSpec.Request.STRUCTURED) {
            call.identities.writeBytes(id);
            escaped(call.key, message.key);
            call.body.writeBytes(message.value);
            return;
        }
        call.body.writeBytes(EVENT).writeBytes(id);
        if (message.key != KeySource.NONE) {
            call.body.writeBytes(PARTITION_KEY);
            escaped(call.body, message.key);
        }
        if (printable(message.value)) {
            call.body.writeBytes(DATA);
            text(call.body, message.value);
        } else {
            call.body.writeBytes(DATA_BASE64);
            base64(call.body, message.value);
        }
        call.body.writeBytes(RECORD_END);
    }

    private static boolean printable(byte[] value) {
        for (byte letter : value) {
            if (letter < ' ' || letter == 127) {
                return false;
            }
        }
        return true;
    }

    /** Writes the content of a JSON string (RFC 8259, section 7). */
    private static void text(ByteBuf into, byte[] printable) {
        int written = 0;
        for (int i = 0; i < printable.length; i++) {
            if (printable[i] == '"' || printable[i] == '\\') {
                into.writeBytes(printable, written, i - written).writeByte('\\');
                written = i;
            }
        }
        into.writeBytes(printable, written, printable.length - written);
    }

    private void record(ByteBuf body, Message message, boolean first) {
        if (!first) {
            body.writeByte(',');
        }
        body.writeByte('{');
        if (message.key != null) {
            body.writeBytes(KEY);
            base64(body, message.key);
            body.writeByte('"').writeByte(',');
        }
        body.writeBytes(VALUE);
        base64(body, message.value);
        if (message.header) {
            body.writeBytes(HEADERS);
            base64(body, message.identity);
            body.writeBytes(HEADERS_END);
        } else {
            body.writeBytes(RECORD_END);
        }
    }

    private void base64(ByteBuf into, byte[] bytes) {
        int length = (bytes.length + 2) / 3 * 4;
        if (encoded.length < length) {
            encoded = new byte[2 * length];
        }
        into.writeBytes(encoded, 0, Base64.getEncoder().encode(bytes, encoded));
    }

    /** Writes a percent-encoded query value (RFC 3986, section 2.3). */
    private static void escaped(ByteBuf into, byte @Nullable [] key) {
        if (key == null) {
            return;
        }
        for (byte letter : key) {
            boolean plain = (letter >= 'a' && letter <= 'z')
                    || (letter >= 'A' && letter <= 'Z')
                    || (letter >= '0' && letter <= '9')
                    || letter == '-'
                    || letter == '_'
                    || letter == '.';
            if (plain) {
                into.writeByte(letter);
            } else {
                into.writeByte('%').writeByte(HEXADECIMAL[(letter >> 4) & 15]).writeByte(HEXADECIMAL[letter & 15]);
            }
        }
    }

    /**
     * Reads the list {@code offsets} in the answer to a batch. As in version 2 of the REST API, each record has an
     * offset or a non-null {@code error_code}.
     *
     * @return the indexes of the failed records; null if the answer does not list {@code count} records
     */
    static @Nullable BitSet failed(HttpAnswer answer, int count) {
        if (answer.length() == 0 || answer.cut() || answer.body()[0] != '{') {
            return null;
        }
        try (JsonParser json = JSON.createParser(answer.body(), 0, answer.length())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("offsets");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    return failed(json, count);
                }
                json.skipChildren();
            }
            return null;
        } catch (IOException noJson) {
            // Servers may answer with text or HTML. Then only the status counts.
            return null;
        }
    }

    private static @Nullable BitSet failed(JsonParser json, int count) throws IOException {
        BitSet failed = new BitSet(count);
        int record = 0;
        for (; json.nextToken() == JsonToken.START_OBJECT; record++) {
            boolean error = false;
            boolean offset = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                boolean there = json.nextToken() != JsonToken.VALUE_NULL;
                error |= name.equals("error_code") && there;
                offset |= name.equals("offset");
                json.skipChildren();
            }
            failed.set(record, error || !offset);
        }
        return record == count ? failed : null;
    }

    /** A writer of HTTP/1.1 request heads for one target. The constant part is prepared once. */
    static final class RequestHeads {
        private static final byte[] KEY = ascii("?key=");
        private static final byte[] ID = ascii("\r\n" + EventAttributes.HTTP_PREFIX + "id: ");
        private static final byte[] PARTITION_KEY = ascii("\r\n" + EventAttributes.HTTP_PREFIX + "partitionkey: ");
        private static final byte[] IDENTITIES = ascii("\r\nRecord-Header-" + Identity.HEADER + ": ");
        private static final byte[] END = ascii("\r\n\r\n");

        private final boolean events;
        private final List<byte[]> lines;
        private final byte[] rest;

        RequestHeads(HttpTarget target, HttpSettings settings) {
            this.events = settings.events();
            this.lines = settings.paths(target).stream()
                    .map(path -> ascii("POST " + path))
                    .toList();
            StringBuilder head = new StringBuilder(" HTTP/1.1\r\nHost: " + target.host());
            settings.headers().forEach((name, value) -> head.append("\r\n" + name + ": " + value));
            this.rest = ascii(head + "\r\nContent-Length: ");
        }

        void write(ByteBuf into, HttpCall call) {
            into.writeBytes(lines.get(call.messages.topic));
            if (!events) {
                field(into, KEY, call.key);
            }
            into.writeBytes(rest);
            Http1Connection.decimal(into, call.body.readableBytes());
            field(into, events ? ID : IDENTITIES, call.identities);
            if (events) {
                field(into, PARTITION_KEY, call.key);
            }
            into.writeBytes(END);
        }

        private static void field(ByteBuf into, byte[] name, ByteBuf value) {
            if (value.isReadable()) {
                into.writeBytes(name).writeBytes(value, value.readerIndex(), value.readableBytes());
            }
        }
    }
}
