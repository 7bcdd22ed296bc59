package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import weir.http.Refusal;
import weir.http.Resource;

/** An answer of a receiver, ready to be written. */
final class ReceiverAnswer {
    static final ReceiverAnswer ACCEPTED = empty(HttpResponseStatus.ACCEPTED);
    static final ReceiverAnswer HEALTHY = empty(HttpResponseStatus.OK);
    static final ReceiverAnswer FAILED = empty(HttpResponseStatus.INTERNAL_SERVER_ERROR);
    static final ReceiverAnswer CONTINUE = new ReceiverAnswer("HTTP/1.1 100 Continue\r\n\r\n", false, false);

    private static final int LONGEST_REASON = 200;

    private final byte[] bytes;
    private final boolean refuses;
    private final boolean last;

    private ReceiverAnswer(String text, boolean refuses, boolean last) {
        this.refuses = refuses;
        this.bytes = text.getBytes(StandardCharsets.US_ASCII);
        this.last = last;
    }

    private static ReceiverAnswer empty(HttpResponseStatus status) {
        return new ReceiverAnswer("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", false, false);
    }

    /** The methods that a path takes. */
    static ReceiverAnswer options(Resource resource) {
        return new ReceiverAnswer(
                "HTTP/1.1 200 OK\r\nAllow: " + resource.allow() + "\r\nContent-Length: 0\r\n\r\n", false, false);
    }

    /**
     * Says why a request is not carried out.
     *
     * @param last nothing that comes behind it can be read
     * @param bare without its body, as HEAD has it
     */
    static ReceiverAnswer refusal(Refusal why, boolean last, boolean bare) {
        String whole = String.valueOf(why.getMessage())
                .codePoints()
                .map(letter -> letter >= ' ' && letter < 127 ? letter : '?')
                .limit(LONGEST_REASON)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .append('\n')
                .toString();
        StringBuilder more = new StringBuilder(last ? "Connection: close\r\n" : "");
        why.headers().forEach((name, value) -> more.append(name + ": " + value + "\r\n"));
        return new ReceiverAnswer(
                "HTTP/1.1 " + HttpResponseStatus.valueOf(why.status()) + "\r\n" + more
                        + "Content-Type: text/plain\r\nContent-Length: " + whole.length() + "\r\n\r\n"
                        + (bare ? "" : whole),
                true,
                last);
    }

    /** True when a request is not carried out. */
    boolean refuses() {
        return refuses;
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
