package weir.bridge.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, understood and allowed.
 *
 * @param looks it asks how the server is, which changes nothing
 * @param length of the body as announced; -1 when it is not
 */
public record HttpHead(HttpRequest request, String path, boolean looks, long length) {
    /** Balancers ask for it, and they have no token. */
    public static final String HEALTH = "/healthz";

    static HttpHead of(HttpRequest request, ServerContext server) throws Refusal {
        if (request.decoderResult().isFailure()) {
            throw unreadable(request.decoderResult().cause());
        }
        int most = server.limits().headers();
        if (request.headers().size() > most) {
            throw new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "more than " + most + " headers");
        }
        String path = path(request);
        if (!path.equals(HEALTH) && !server.allowed(request.headers().get(HttpHeaderNames.AUTHORIZATION))) {
            throw new Refusal(HttpResponseStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
        }
        return request.method().equals(HttpMethod.GET)
                ? new HttpHead(request, path, true, 0)
                : new HttpHead(request, path, false, HttpUtil.getContentLength(request, -1L));
    }

    private static Refusal unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the first line is too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long");
        }
        return Refusal.bad("this is not an HTTP request");
    }

    private static String path(HttpRequest request) throws Refusal {
        try {
            return new QueryStringDecoder(request.uri()).path();
        } catch (IllegalArgumentException e) {
            throw Refusal.bad("the path cannot be read");
        }
    }

    /** The first value of this name in the query; null when there is none. */
    public @Nullable String query(String name) throws Refusal {
        try {
            List<String> values =
                    new QueryStringDecoder(request.uri()).parameters().getOrDefault(name, List.of());
            return values.isEmpty() ? null : values.get(0);
        } catch (IllegalArgumentException e) {
            throw Refusal.bad("the query cannot be read");
        }
    }
}
