package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** An answer of a receiver, ready to be written. */
final class ReceiverAnswer {
    static final ReceiverAnswer ACCEPTED = empty(HttpResponseStatus.ACCEPTED);
    static final ReceiverAnswer HEALTHY = empty(HttpResponseStatus.OK);
    static final ReceiverAnswer FAILED = empty(HttpResponseStatus.INTERNAL_SERVER_ERROR);
    static final ReceiverAnswer CONTINUE = new ReceiverAnswer("HTTP/1.1 100 Continue\r\n\r\n", false);

    private static final int LONGEST_REASON = 200;

    private final byte[] bytes;
    private final boolean last;

    private ReceiverAnswer(String text, boolean last) {
        this.bytes = text.getBytes(StandardCharsets.US_ASCII);
        this.last = last;
    }

    private static ReceiverAnswer empty(HttpResponseStatus status) {
        return new ReceiverAnswer("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", false);
    }

    /** Says why a request is not carried out; {@code last}: nothing that comes behind it can be read. */
    static ReceiverAnswer refusal(HttpResponseStatus status, String reason, boolean last) {
        String whole = reason.codePoints()
                .map(letter -> letter >= ' ' && letter < 127 ? letter : '?')
                .limit(LONGEST_REASON)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .append('\n')
                .toString();
        String more = "";
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            more = "Allow: POST\r\n";
        } else if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
            more = "WWW-Authenticate: Bearer\r\n";
        }
        return new ReceiverAnswer(
                "HTTP/1.1 " + status + "\r\n" + more + (last ? "Connection: close\r\n" : "")
                        + "Content-Type: text/plain\r\nContent-Length: " + whole.length() + "\r\n\r\n" + whole,
                last);
    }

    boolean last() {
        return last;
    }

    int length() {
        return bytes.length;
    }

    void write(ByteBuf into) {
        into.writeBytes(bytes);
    }
}
