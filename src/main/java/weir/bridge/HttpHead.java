package weir.bridge;

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
 * @param topic empty when it asks to look at {@code path}
 * @param key of the records, where the body brings none
 * @param length of the body as announced; -1 when it is not
 */
record HttpHead(
        HttpRequest request,
        String path,
        String topic,
        @Nullable String key,
        long length) {
    private static final String TOPICS = "/topics/";
    /** Balancers ask for it, and they have no token. */
    static final String HEALTH = "/healthz";

    static HttpHead of(HttpRequest request, GatewayContext gateway) throws Refusal {
        if (request.decoderResult().isFailure()) {
            throw unreadable(request.decoderResult().cause());
        }
        int most = gateway.limits().headers();
        if (request.headers().size() > most) {
            throw new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "more than " + most + " headers");
        }
        QueryStringDecoder asked = new QueryStringDecoder(request.uri());
        String path = path(asked);
        if (!path.equals(HEALTH) && !gateway.allowed(request.headers().get(HttpHeaderNames.AUTHORIZATION))) {
            throw new Refusal(HttpResponseStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
        }
        if (request.method().equals(HttpMethod.GET)) {
            return new HttpHead(request, path, "", null, 0);
        }
        if (!path.startsWith(TOPICS) || path.length() == TOPICS.length()) {
            throw new Refusal(HttpResponseStatus.NOT_FOUND, "records are sent to /topics/TOPIC");
        }
        if (!request.method().equals(HttpMethod.POST)) {
            throw new Refusal(HttpResponseStatus.METHOD_NOT_ALLOWED, "records are sent by POST");
        }
        String topic = path.substring(TOPICS.length());
        if (!gateway.topics().has(topic)) {
            throw new Refusal(HttpResponseStatus.NOT_FOUND, "there is no topic '" + topic + "'");
        }
        return new HttpHead(request, path, topic, key(asked), HttpUtil.getContentLength(request, -1L));
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

    private static String path(QueryStringDecoder asked) throws Refusal {
        try {
            return asked.path();
        } catch (IllegalArgumentException e) {
            throw Refusal.bad("the path cannot be read");
        }
    }

    private static @Nullable String key(QueryStringDecoder asked) throws Refusal {
        try {
            List<String> keys = asked.parameters().getOrDefault("key", List.of());
            return keys.isEmpty() ? null : keys.get(0);
        } catch (IllegalArgumentException e) {
            throw Refusal.bad("the query cannot be read");
        }
    }

    boolean looks() {
        return topic.isEmpty();
    }

    RecordFormat format() {
        return RecordFormat.of(request.headers().get(HttpHeaderNames.CONTENT_TYPE));
    }
}
