package weir.load.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An answer as far as a load needs it. Belongs to the connection that read it, until the next one. */
final class HttpAnswer {
    /** The part of a body that is kept. */
    static final int KEPT_BYTES = 1 << 20;

    static final int TOO_MANY_REQUESTS = 429;
    static final int UNAVAILABLE = 503;

    private static final int TOLD = 160;

    int status;
    /** Seconds; -1 when the server names none. */
    int retryAfter = -1;
    /** False when the server ends the connection behind it. */
    boolean keepAlive = true;

    private byte[] body = new byte[1_024];
    private int length;

    void begin() {
        status = 0;
        retryAfter = -1;
        keepAlive = true;
        length = 0;
    }

    /** Room for so many more bytes of the body, or fewer where it is too long to be kept. */
    int grow(int more) {
        int kept = Math.min(more, KEPT_BYTES - length);
        if (length + kept > body.length) {
            body = Arrays.copyOf(body, Math.max(length + kept, 2 * body.length));
        }
        length += kept;
        return kept;
    }

    byte[] body() {
        return body;
    }

    int length() {
        return length;
    }

    boolean good() {
        return status >= 200 && status < 300;
    }

    /** The server may take the same later. */
    boolean later() {
        return status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
    }

    /** The status and the begin of the body, as one line. */
    String told() {
        String text = new String(body, 0, Math.min(length, TOLD), StandardCharsets.UTF_8)
                .replaceAll("\\s+", " ")
                .strip();
        return "HTTP " + status + (text.isEmpty() ? "" : ": " + text);
    }
}
