package weir.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An answer as a client needs it. Belongs to the connection that read it, until the next one. */
public final class HttpAnswer {
    private static final int TOLD = 160;

    private final int keptBytes;
    /** False when the server ends the connection behind it. */
    boolean keepAlive = true;

    private int status;
    private String retryAfter = "";
    private byte[] body = new byte[1_024];
    private int length;

    public HttpAnswer(int keptBytes) {
        this.keptBytes = keptBytes;
    }

    public void begin(int begun) {
        status = begun;
        retryAfter = "";
        keepAlive = true;
        length = 0;
    }

    public void retryAfter(String header) {
        retryAfter = header;
    }

    /** The header as it came; empty without one. */
    public String retryAfter() {
        return retryAfter;
    }

    /** Seconds; -1 when the server names none. A date, which is allowed too, counts as none. */
    public int retryAfterSeconds() {
        return retryAfter.matches("[0-9]{1,18}") ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(retryAfter)) : -1;
    }

    /** Room for so many more bytes of the body, or fewer where it is too long to be kept. */
    public int grow(int more) {
        int kept = Math.min(more, keptBytes - length);
        if (length + kept > body.length) {
            body = Arrays.copyOf(body, Math.max(length + kept, 2 * body.length));
        }
        length += kept;
        return kept;
    }

    @SuppressWarnings("EI_EXPOSE_REP")
    public byte[] body() {
        return body;
    }

    public int length() {
        return length;
    }

    /** True when some of the body may not have been kept. */
    public boolean cut() {
        return length == keptBytes;
    }

    public int status() {
        return status;
    }

    public boolean good() {
        return status >= 200 && status < 300;
    }

    /** The server may take the same later. */
    public boolean later() {
        return status == 429 || status == 503;
    }

    public String told() {
        String text = new String(body, 0, Math.min(length, TOLD), StandardCharsets.UTF_8)
                .replaceAll("\\s+", " ")
                .strip();
        return "HTTP " + status + (text.isEmpty() ? "" : ": " + text);
    }
}
