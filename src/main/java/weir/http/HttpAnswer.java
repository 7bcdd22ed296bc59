package weir.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An answer that a client received. The connection reuses the object for the next answer. */
public final class HttpAnswer {
    private static final int MOST_CHARACTERS = 160;

    private final int keptBytes;
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

    public String retryAfter() {
        return retryAfter;
    }

    /** Returns the seconds of the header Retry-After; -1 if the header is missing or is a date. */
    public int retryAfterSeconds() {
        return retryAfter.matches("[0-9]{1,18}") ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(retryAfter)) : -1;
    }

    /** Adds the next {@code more} bytes of a body, which stay readable in {@code from}. */
    public void append(ByteBuf from, int more) {
        int kept = Math.min(more, keptBytes - length);
        if (length + kept > body.length) {
            body = Arrays.copyOf(body, Math.max(length + kept, 2 * body.length));
        }
        from.getBytes(from.readerIndex(), body, length, kept);
        length += kept;
    }

    public byte[] body() {
        return body;
    }

    public int length() {
        return length;
    }

    /** Returns true when part of the body may be missing. */
    public boolean cut() {
        return length == keptBytes;
    }

    public int status() {
        return status;
    }

    public boolean good() {
        return status >= 200 && status < 300;
    }

    public boolean later() {
        return status == 429 || status == 503;
    }

    public String summary() {
        String text = new String(body, 0, Math.min(length, MOST_CHARACTERS), StandardCharsets.UTF_8)
                .replaceAll("\\s+", " ")
                .strip();
        return "HTTP " + status + (text.isEmpty() ? "" : ": " + text);
    }
}
