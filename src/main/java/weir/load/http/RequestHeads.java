package weir.load.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import weir.load.message.Identity;
import weir.plan.HttpSpec;

/** Writes the heads of HTTP/1.1 requests to one target; all that is the same in each is made once. */
final class RequestHeads {
    private static final byte[] KEY = ascii("?key=");
    private static final byte[] IDENTITIES = ascii("\r\nRecord-Header-" + Identity.HEADER + ": ");
    private static final byte[] END = ascii("\r\n\r\n");

    private final List<byte[]> lines;
    private final byte[] rest;

    RequestHeads(HttpTarget target, List<String> topics, HttpSpec http) {
        this.lines = topics.stream()
                .map(topic -> ascii("POST " + target.path() + "/topics/" + topic))
                .toList();
        this.rest = ascii(" HTTP/1.1\r\nHost: " + target.host() + "\r\nContent-Type: "
                + http.request().contentType()
                + (http.token().isEmpty() ? "" : "\r\nAuthorization: Bearer " + http.token())
                + "\r\nContent-Length: ");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void write(ByteBuf into, HttpCall call) {
        into.writeBytes(lines.get(call.messages.topic()));
        if (call.key.isReadable()) {
            into.writeBytes(KEY).writeBytes(call.key, call.key.readerIndex(), call.key.readableBytes());
        }
        into.writeBytes(rest);
        decimal(into, call.body.readableBytes());
        if (call.identities.isReadable()) {
            into.writeBytes(IDENTITIES)
                    .writeBytes(call.identities, call.identities.readerIndex(), call.identities.readableBytes());
        }
        into.writeBytes(END);
    }

    private static void decimal(ByteBuf into, int number) {
        int divisor = 1;
        while (number / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            into.writeByte('0' + number / divisor % 10);
        }
    }
}
