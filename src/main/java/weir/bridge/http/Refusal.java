package weir.bridge.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is not carried out, in words for whoever sent it. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final transient HttpResponseStatus status;

    public Refusal(HttpResponseStatus status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** A request whose body or headers are not what they say. */
    public static Refusal bad(String message) {
        return new Refusal(HttpResponseStatus.BAD_REQUEST, message);
    }

    public HttpResponseStatus status() {
        return status;
    }
}
