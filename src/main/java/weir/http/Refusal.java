package weir.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;

/** The refusal of a request, with a message for its sender. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient Map<String, String> headers;

    public Refusal(HttpResponseStatus status, String message) {
        this(status, message, Map.of());
    }

    public Refusal(HttpResponseStatus status, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status.code();
        this.headers = Map.copyOf(headers);
    }

    public static Refusal bad(String message) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, message);
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
