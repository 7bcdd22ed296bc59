package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answers to requests. */
public final class Answers {
    private static final AsciiString JSON = HttpHeaderValues.APPLICATION_JSON;
    private static final AsciiString TEXT = HttpHeaderValues.TEXT_PLAIN;
    private static final AsciiString LINE = AsciiString.cached("text/plain; charset=utf-8");
    private static final int RETRY_SECONDS = 1;
    private static final byte[] NOTHING = {};

    private static final FullHttpResponse QUEUED = of(HttpResponseStatus.ACCEPTED, NOTHING, JSON);
    private static final byte[] QUEUED_BYTES =
            "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Answers() {}

    /** Returns the answer to an accepted request. All requests share the object, so no caller may change it. */
    public static FullHttpResponse queued() {
        return QUEUED;
    }

    /** Returns the shared answer in its encoded HTTP/1.1 form; null for any other answer. */
    static @Nullable ByteBuf encoded(FullHttpResponse answer, ByteBufAllocator allocator) {
        return answer == QUEUED ? allocator.directBuffer(QUEUED_BYTES.length).writeBytes(QUEUED_BYTES) : null;
    }

    static FullHttpResponse own(FullHttpResponse answer, boolean bare) {
        FullHttpResponse own = answer == QUEUED ? of(HttpResponseStatus.ACCEPTED, NOTHING, JSON) : answer;
        return bare ? own.replace(Unpooled.EMPTY_BUFFER) : own;
    }

    static FullHttpResponse options(Resource resource) {
        FullHttpResponse answer = empty(HttpResponseStatus.OK);
        answer.headers().set(HttpHeaderNames.ALLOW, resource.allow());
        return answer;
    }

    public static FullHttpResponse refused(Refusal why) {
        StringBuilder json =
                new StringBuilder("{\"error_code\":").append(why.status()).append(",\"message\":");
        quote(json, String.valueOf(why.getMessage()));
        return refused(why, json.append("}\n").toString(), JSON);
    }

    public static FullHttpResponse empty(HttpResponseStatus status) {
        return of(status, NOTHING, TEXT);
    }

    public static FullHttpResponse plain(Refusal why) {
        return refused(why, why.getMessage() + "\n", LINE);
    }

    private static FullHttpResponse refused(Refusal why, String body, AsciiString type) {
        FullHttpResponse answer = of(HttpResponseStatus.valueOf(why.status()), body, type);
        why.headers().forEach(answer.headers()::set);
        return answer;
    }

    public static FullHttpResponse healthy() {
        return of(HttpResponseStatus.OK, "ok\n", LINE);
    }

    public static FullHttpResponse json(HttpResponseStatus status, String json) {
        return of(status, json, JSON);
    }

    public static FullHttpResponse counters(Map<String, Long> counts) {
        return json(
                HttpResponseStatus.OK,
                counts.entrySet().stream()
                        .map(count -> "\"" + count.getKey() + "\":" + count.getValue())
                        .collect(Collectors.joining(",", "{", "}\n")));
    }

    /** Returns the counts in Prometheus's text format, version 0.0.4. */
    public static FullHttpResponse metrics(String prefix, Map<String, Long> counts) {
        StringBuilder text = new StringBuilder();
        counts.forEach((name, count) -> {
            boolean gauge = name.equals("connections");
            String full = prefix + name.replace('.', '_') + (gauge ? "" : "_total");
            text.append("# TYPE ").append(full).append(gauge ? " gauge\n" : " counter\n");
            text.append(full).append(' ').append(count).append('\n');
        });
        return of(HttpResponseStatus.OK, text.toString(), AsciiString.of("text/plain; version=0.0.4; charset=utf-8"));
    }

    public static FullHttpResponse passedOn(int status, String retryAfter, byte[] body) {
        FullHttpResponse answer = of(HttpResponseStatus.valueOf(status), body, TEXT);
        if (!retryAfter.isEmpty()) {
            answer.headers().set(HttpHeaderNames.RETRY_AFTER, retryAfter);
        }
        return answer;
    }

    private static FullHttpResponse of(HttpResponseStatus status, String body, AsciiString type) {
        return of(status, body.getBytes(StandardCharsets.UTF_8), type);
    }

    private static FullHttpResponse of(HttpResponseStatus status, byte[] body, AsciiString type) {
        FullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        answer.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (body.length > 0) {
            answer.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        }
        if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)
                || status.equals(HttpResponseStatus.TOO_MANY_REQUESTS)) {
            answer.headers().setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
        }
        return answer;
    }

    public static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
