package weir.bridge;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** The answers to requests. */
final class Answers {
    private static final AsciiString JSON = HttpHeaderValues.APPLICATION_JSON;
    private static final int RETRY_SECONDS = 1;

    private Answers() {}

    /** Records are taken, and nothing more is promised. */
    static FullHttpResponse queued() {
        return of(HttpResponseStatus.ACCEPTED, new byte[0], JSON);
    }

    /** Tells what became of each record, as version 2 of the REST interface tells it; of a raw record, of itself. */
    static FullHttpResponse settled(Exchange exchange) {
        return of(status(exchange.fault()), body(exchange), JSON);
    }

    static FullHttpResponse refused(Refusal why) {
        return of(why.status(), fault(why.status(), String.valueOf(why.getMessage())), JSON);
    }

    static FullHttpResponse text(String text, String type) {
        return of(HttpResponseStatus.OK, text.getBytes(StandardCharsets.UTF_8), AsciiString.of(type));
    }

    private static FullHttpResponse of(HttpResponseStatus status, byte[] body, AsciiString type) {
        FullHttpResponse answer =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        answer.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (body.length > 0) {
            answer.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
        }
        if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            answer.headers().setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
        }
        return answer;
    }

    private static HttpResponseStatus status(@Nullable Exception fault) {
        if (fault == null) {
            return HttpResponseStatus.OK;
        }
        if (fault instanceof RecordTooLargeException) {
            return HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE;
        }
        if (fault instanceof AuthorizationException) {
            return HttpResponseStatus.FORBIDDEN;
        }
        if (fault instanceof InvalidTopicException || fault instanceof UnknownTopicOrPartitionException) {
            return HttpResponseStatus.NOT_FOUND;
        }
        if (fault instanceof IllegalArgumentException) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        return fault instanceof RetriableException
                ? HttpResponseStatus.SERVICE_UNAVAILABLE
                : HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }

    private static byte[] body(Exchange exchange) {
        int records = exchange.records().size();
        StringBuilder json = new StringBuilder(48 * records + 16);
        if (exchange.single()) {
            record(json, exchange, 0);
        } else {
            json.append("{\"offsets\":[");
            for (int i = 0; i < records; i++) {
                json.append(i > 0 ? "," : "");
                record(json, exchange, i);
            }
            json.append("]}");
        }
        return json.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void record(StringBuilder json, Exchange exchange, int record) {
        Exception fault = exchange.fault(record);
        if (fault == null) {
            long offset = exchange.offset(record);
            json.append("{\"partition\":").append(exchange.partition(record)).append(",\"offset\":");
            if (offset < 0) {
                json.append("null}");
            } else {
                json.append(offset).append('}');
            }
        } else {
            json.append("{\"error_code\":").append(status(fault).code()).append(",\"message\":");
            quote(json, String.valueOf(fault.getMessage()));
            json.append('}');
        }
    }

    private static byte[] fault(HttpResponseStatus status, String message) {
        StringBuilder json =
                new StringBuilder("{\"error_code\":").append(status.code()).append(",\"message\":");
        quote(json, message);
        return json.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void quote(StringBuilder json, String text) {
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
