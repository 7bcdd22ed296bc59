package weir.load.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import weir.event.EventAttributes;
import weir.http.Http1Connection;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;
import weir.plan.HttpSpec;

/** Writes the heads of HTTP/1.1 requests to one target; all that is the same in each is made once. */
final class RequestHeads {
    private static final byte[] KEY = ascii("?key=");
    private static final byte[] ID = ascii("\r\n" + EventAttributes.HTTP_PREFIX + "id: ");
    private static final byte[] PARTITION_KEY = ascii("\r\n" + EventAttributes.HTTP_PREFIX + "partitionkey: ");
    private static final byte[] IDENTITIES = ascii("\r\nRecord-Header-" + Identity.HEADER + ": ");
    private static final String ATTRIBUTES = "\r\n" + EventAttributes.HTTP_PREFIX + "specversion: "
            + EventAttributes.SPEC_VERSION + "\r\n" + EventAttributes.HTTP_PREFIX + "source: " + LoadEvent.SOURCE
            + "\r\n"
            + EventAttributes.HTTP_PREFIX + "type: " + LoadEvent.TYPE;
    private static final byte[] END = ascii("\r\n\r\n");

    private final boolean events;
    private final List<byte[]> lines;
    private final byte[] rest;

    RequestHeads(HttpTarget target, HttpSettings settings) {
        HttpSpec http = settings.http();
        this.events = settings.events();
        this.lines = settings.paths(target).stream()
                .map(path -> ascii("POST " + path))
                .toList();
        this.rest = ascii(" HTTP/1.1\r\nHost: " + target.host() + "\r\nContent-Type: "
                + http.request().contentType()
                + (settings.binary() ? ATTRIBUTES : "")
                + (http.token().isEmpty() ? "" : "\r\nAuthorization: Bearer " + http.token())
                + "\r\nContent-Length: ");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void write(ByteBuf into, HttpCall call) {
        into.writeBytes(lines.get(call.messages.topic()));
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
