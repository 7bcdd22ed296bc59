package weir.load.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.LoadEvent;
import weir.load.message.Message;
import weir.load.send.BatchAccumulator;
import weir.plan.HttpSpec;

/**
 * Writes the messages of a batch into the body of a request, and their identities beside it where values have no room. Each
 * event has an id, wherever it stands.
 */
final class RequestBodies {
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

    void write(HttpCall call, BatchAccumulator messages) {
        boolean rest = request == HttpSpec.Request.REST_V2;
        if (rest) {
            call.body.writeBytes(BEGIN);
        }
        for (int i = 0; i < call.messages.count(); i++) {
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

    /** As JSON has it (RFC 8259, 7). */
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

    /** As a query has it (RFC 3986, 2.3). */
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
}
