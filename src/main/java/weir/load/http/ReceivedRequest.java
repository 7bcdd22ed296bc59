package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.event.StructuredEvent;
import weir.http.Access;
import weir.http.HttpHead;
import weir.http.Refusal;
import weir.http.Resource;
import weir.http.ServerRequest.NettyHead;
import weir.load.message.Arrival;
import weir.load.message.Identity;
import weir.load.message.LoadEvent;

/**
 * A request to a receiver. It keeps only the length and first bytes of an event in binary mode, and collects a
 * structured event. One connection owns it and reuses it for the next request.
 */
final class ReceivedRequest {
    static final int MOST_HEADERS = 100;
    static final int MOST_BODY_BYTES = 4 << 20;
    private static final byte[] NOTHING = {};
    private static final String HEALTH = "/healthz";
    private static final Set<Integer> SKIPPED = Set.of(
            HttpResponseStatus.UNAUTHORIZED.code(),
            HttpResponseStatus.METHOD_NOT_ALLOWED.code(),
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE.code());
    private static final int KEPT_BYTES = 16 << 10;

    private final BodyMemory memory;
    private final EventAttributes attributes;
    private final Access access;
    private final byte[] id = new byte[LoadEvent.ID_LENGTH];
    private final byte[] identity = new byte[Identity.BYTES];
    private final byte[] first = new byte[Identity.BYTES];
    private byte[] body = new byte[0];
    private int length;
    private String contentType = "";
    private boolean structured;
    private boolean identified;
    private @Nullable ReceiverAnswer answer;
    private boolean keepAlive;
    private boolean continues;

    static final class BodyMemory {
        private static final long MOST_BYTES = 64L << 20;
        private long bytes;

        private boolean take(int more) {
            boolean room = bytes + more <= MOST_BYTES;
            bytes += room ? more : 0;
            return room;
        }

        private void free(int some) {
            bytes -= some;
        }
    }

    /** {@code attributes} are used while a head or the end of a request is looked at; {@code access} says who may ask. */
    ReceivedRequest(BodyMemory memory, EventAttributes attributes, Access access) {
        this.memory = memory;
        this.attributes = attributes;
        this.access = access;
    }

    void begin(HttpRequest head) {
        length = 0;
        structured = false;
        identified = false;
        continues = false;
        // By default an HTTP/1.0 client waits for the end of the connection.
        keepAlive = HttpUtil.isKeepAlive(head) && !head.protocolVersion().equals(HttpVersion.HTTP_1_0);
        answer = judged(head);
        if (answer == null) {
            event(head.headers());
        }
        continues = answer == null && HttpUtil.is100ContinueExpected(head);
    }

    private @Nullable ReceiverAnswer judged(HttpRequest head) {
        if (head.decoderResult().isFailure()) {
            return ReceiverAnswer.refusal(
                    HttpHead.unreadable(head.decoderResult().cause()), true, false);
        }
        if (head.headers().size() > MOST_HEADERS) {
            return last(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "more than " + MOST_HEADERS + " headers");
        }
        boolean health = path(head.uri()).equals(HEALTH);
        Resource resource = health ? Resource.LOOK_WITH_ANY_QUERY : Resource.EVENTS;
        try {
            access.check(new NettyHead(head), health);
            resource.checkMethod(head.method().name());
        } catch (Refusal why) {
            return ReceiverAnswer.refusal(
                    why, !SKIPPED.contains(why.status()), head.method().equals(HttpMethod.HEAD));
        }
        if (head.method().equals(HttpMethod.OPTIONS)) {
            return ReceiverAnswer.options(resource);
        }
        if (health) {
            return ReceiverAnswer.HEALTHY;
        }
        if (HttpUtil.getContentLength(head, 0L) > MOST_BODY_BYTES) {
            return tooLarge();
        }
        return null;
    }

    private static ReceiverAnswer tooLarge() {
        return last(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "an event has at most " + MOST_BODY_BYTES + " bytes");
    }

    private static ReceiverAnswer last(HttpResponseStatus status, String reason) {
        return ReceiverAnswer.refusal(new Refusal(status.code(), reason), true, false);
    }

    private static ReceiverAnswer malformed(MalformedEvent e) {
        return ReceiverAnswer.refusal(Refusal.bad(String.valueOf(e.getMessage())), false, false);
    }

    private static String path(String target) {
        String path = Access.origin(target);
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    private void event(HttpHeaders headers) {
        CharSequence type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        structured = type != null && StructuredEvent.is(type);
        if (structured) {
            contentType = type.toString();
            return;
        }
        try {
            attributes.clear();
            Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
            while (all.hasNext()) {
                Map.Entry<CharSequence, CharSequence> header = all.next();
                attributes.fromHttp(header.getKey(), header.getValue());
            }
            identify();
        } catch (MalformedEvent e) {
            answer = malformed(e);
        }
    }

    private void identify() throws MalformedEvent {
        attributes.check();
        identified = LoadEvent.readId(id, attributes.copy("id", id), identity);
    }

    /** Returns true once, when the client waits for 100 Continue before it sends the body. */
    boolean continues() {
        boolean now = continues;
        continues = false;
        return now;
    }

    void add(ByteBuf part) {
        int bytes = part.readableBytes();
        if (bytes > MOST_BODY_BYTES - length) {
            refuse(tooLarge());
        }
        if (answer != null) {
            return;
        }
        if (structured) {
            collect(part, bytes);
        } else if (length < first.length) {
            part.getBytes(part.readerIndex(), first, length, Math.min(bytes, first.length - length));
        }
        length += bytes;
    }

    private void collect(ByteBuf part, int bytes) {
        if (!memory.take(bytes)) {
            refuse(last(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many events come in at once"));
            return;
        }
        if (length + bytes > body.length) {
            body = Arrays.copyOf(body, Math.max(length + bytes, 2 * body.length));
        }
        part.getBytes(part.readerIndex(), body, length, bytes);
    }

    void broken() {
        refuse(last(HttpResponseStatus.BAD_REQUEST, "the body cannot be read"));
    }

    private void refuse(ReceiverAnswer with) {
        if (answer == null || (with.last() && !answer.last())) {
            answer = with;
        }
    }

    /** Ends the request; returns null for an event that may be accepted, otherwise the answer. */
    @Nullable ReceiverAnswer end() {
        if (answer == null && structured) {
            try {
                attributes.clear();
                byte[] data = StructuredEvent.read(contentType, Arrays.copyOf(body, length), attributes);
                identify();
                System.arraycopy(data, 0, first, 0, Math.min(data.length, first.length));
                release();
                length = data.length;
            } catch (MalformedEvent e) {
                answer = malformed(e);
            }
        }
        release();
        return answer;
    }

    void release() {
        if (structured) {
            memory.free(length);
            structured = false;
            length = 0;
        }
        if (body.length > KEPT_BYTES) {
            body = new byte[0];
        }
    }

    @Nullable ReceiverAnswer early() {
        return answer != null && answer.last() ? answer : null;
    }

    int bytes() {
        return length;
    }

    boolean keepAlive() {
        return keepAlive;
    }

    void identify(Arrival arrival) {
        if (identified) {
            arrival.read(identity);
        } else {
            arrival.read(length < first.length ? NOTHING : first);
        }
    }

    static final class ReceiverAnswer {
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

        static ReceiverAnswer options(Resource resource) {
            return new ReceiverAnswer(
                    "HTTP/1.1 200 OK\r\nAllow: " + resource.allow() + "\r\nContent-Length: 0\r\n\r\n", false, false);
        }

        /**
         * Creates the answer for a refused request.
         *
         * @param last true when later requests on the connection cannot be read
         * @param bare true without a body, as for HEAD
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
}
