package weir.live;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import weir.http.Access;
import weir.http.Places;
import weir.http.Refusal;
import weir.http.ServerRequest.NettyHead;

/** One connection: a request at a time, each read and answered within limits. Belongs to its event loop. */
// A failed write or close ends its connection, and close listeners notice that.
@SuppressWarnings("FutureReturnValueIgnored")
final class LiveConnection extends SimpleChannelInboundHandler<HttpObject> implements Places.Place {
    /** Limit from the first byte of a request, or the begin of the connection, to the end of the request. */
    static final Duration HEAD = Duration.ofSeconds(10);

    /** Limit from one answer to the next request. */
    static final Duration IDLE = Duration.ofSeconds(90);

    /** Limit from an answer until its client has taken all of it. */
    static final Duration WRITE = Duration.ofSeconds(30);

    private static final Duration LINGER = Duration.ofSeconds(1);
    static final Duration GLANCE = Duration.ofSeconds(5);
    private static final int BODY = 1 << 10;
    private static final int HEADERS = 100;
    private static final int PIPELINED = 64;
    private static final int REQUESTS = 10_000;

    private static final int WORTH_PACKING = 1 << 10;
    private static final Logger LOG = LoggerFactory.getLogger(LiveConnection.class);

    private final Channel channel;
    private final Access access;
    private final Map<String, LiveHandler> paths;
    private final AtomicInteger leaving;
    private final ArrayDeque<HttpObject> waiting = new ArrayDeque<>();
    private @Nullable Future<?> check;
    private @Nullable HttpRequest request;
    private State state = State.READING;
    private long since;
    private int body;
    private int requests;
    private boolean spoke;

    private enum State {
        READING(HEAD),
        IDLING(IDLE),
        WRITING(WRITE),
        STREAMING(Duration.ofDays(1_000)),
        ENDED(WRITE);

        private final Duration limit;

        State(Duration limit) {
            this.limit = limit;
        }
    }

    /** @param leaving the number of answers of all connections that their clients have not taken yet */
    LiveConnection(Channel channel, Access access, Map<String, LiveHandler> paths, AtomicInteger leaving) {
        this.channel = channel;
        this.leaving = leaving;
        this.access = access;
        this.paths = paths;
    }

    ChannelInboundHandlerAdapter watch() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                spoke = true;
                if (state == State.IDLING) {
                    enter(context, State.READING);
                }
                context.fireChannelRead(bytes);
            }
        };
    }

    private void enter(ChannelHandlerContext context, State next) {
        state = next;
        since = context.executor().ticker().nanoTime();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        enter(context, State.READING);
        check = context.executor()
                .scheduleAtFixedRate(() -> check(context), GLANCE.toNanos(), GLANCE.toNanos(), TimeUnit.NANOSECONDS);
        context.read();
    }

    private void check(ChannelHandlerContext context) {
        if (context.executor().ticker().nanoTime() - since > state.limit.toNanos()) {
            if (state == State.READING && spoke) {
                last(context, LiveAnswer.line(408, "the request took too long"));
            } else {
                context.close();
            }
        }
    }

    @Override
    public boolean busy() {
        return state == State.WRITING || state == State.STREAMING;
    }

    @Override
    public boolean served() {
        return requests > 0;
    }

    @Override
    public long sinceNanos() {
        return since;
    }

    @Override
    public void giveUp() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        Future<?> running = check;
        if (running != null) {
            running.cancel(false);
        }
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (state == State.WRITING) {
            if (waiting.size() < PIPELINED) {
                waiting.add(ReferenceCountUtil.retain(part));
            } else {
                context.close();
            }
        } else {
            take(context, part);
        }
    }

    private void take(ChannelHandlerContext context, HttpObject part) {
        if (state == State.STREAMING) {
            // A client of an event stream must send nothing more.
            context.close();
            return;
        }
        if (state == State.ENDED) {
            context.read();
            return;
        }
        if (part.decoderResult().isFailure()) {
            last(context, unreadable(part.decoderResult().cause()));
            return;
        }
        if (part instanceof HttpRequest head) {
            try {
                access.check(new NettyHead(head), false);
            } catch (Refusal why) {
                // The body may be impossible to read to its end.
                last(context, LiveAnswer.refused(why));
                return;
            }
            request = head;
            body = 0;
        }
        if (part instanceof HttpContent content) {
            body += content.content().readableBytes();
            if (body > BODY) {
                last(context, LiveAnswer.line(413, "no path takes a body"));
                return;
            }
        }
        HttpRequest whole = request;
        if (part instanceof LastHttpContent && whole != null) {
            request = null;
            answer(context, whole);
        } else {
            context.read();
        }
    }

    private static LiveAnswer.Whole unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return LiveAnswer.line(414, "the first line is too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return LiveAnswer.line(431, "the headers are too long");
        }
        return LiveAnswer.line(400, "this is not an HTTP request");
    }

    private void answer(ChannelHandlerContext context, HttpRequest head) {
        if (head.headers().size() > HEADERS) {
            last(context, LiveAnswer.line(431, "more than " + HEADERS + " headers"));
            return;
        }
        LiveRequest asked;
        try {
            asked = asked(head);
        } catch (IllegalArgumentException e) {
            last(context, LiveAnswer.line(400, "the path cannot be read"));
            return;
        }
        boolean more = HttpUtil.isKeepAlive(head) && ++requests < REQUESTS;
        LiveAnswer answer = answer(asked);
        if (answer instanceof LiveAnswer.Whole whole) {
            write(context, whole, asked, more, head.protocolVersion().equals(HttpVersion.HTTP_1_0));
        } else if (answer instanceof LiveAnswer.Events events) {
            stream(context, events, head);
        } else {
            throw new AssertionError(answer);
        }
    }

    private LiveAnswer answer(LiveRequest asked) {
        try {
            LiveHandler handler = paths.get(asked.path());
            if (handler == null) {
                return LiveAnswer.line(404, "nothing is here; there is " + String.join(", ", paths.keySet()));
            }
            handler.resource().checkMethod(asked.method());
            return asked.method().equals("OPTIONS")
                    ? LiveAnswer.refused(new Refusal(
                            200, "", Map.of("allow", handler.resource().allow())))
                    : handler.answer(asked);
        } catch (Refusal why) {
            return LiveAnswer.refused(why);
        } catch (RuntimeException e) {
            LOG.warn("answering {}", asked.path(), e);
            return LiveAnswer.line(500, "this could not be answered; the log of the run says why");
        }
    }

    private static LiveRequest asked(HttpRequest head) {
        QueryStringDecoder uri = new QueryStringDecoder(Access.origin(head.uri()));
        SortedMap<String, String> query = new TreeMap<>();
        uri.parameters().forEach((name, values) -> query.put(name, values.get(0)));
        SortedMap<String, String> headers = new TreeMap<>();
        head.headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        return new LiveRequest(head.method().name(), uri.path(), query, headers);
    }

    private void last(ChannelHandlerContext context, LiveAnswer.Whole answer) {
        write(context, answer, LiveRequest.of("GET", "/", Map.of()), false, false);
    }

    /** @param old a client of HTTP/1.0, which waits for the end of the connection unless it is told that there is none */
    private void write(
            ChannelHandlerContext context, LiveAnswer.Whole answer, LiveRequest asked, boolean more, boolean old) {
        byte[] bytes = answer.body();
        boolean packed = bytes.length > WORTH_PACKING
                && !answer.headers().containsKey("content-encoding")
                && asked.header("accept-encoding").contains("gzip");
        byte[] sent = packed ? answer.packed() : bytes;
        boolean headOnly = asked.method().equals("HEAD");
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(answer.status()),
                headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(sent));
        headers(response, answer.type());
        answer.headers().forEach(response.headers()::set);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, sent.length);
        if (bytes.length > WORTH_PACKING) {
            response.headers().set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
        }
        if (packed) {
            response.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        if (more && old) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        if (!more) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        enter(context, more ? State.WRITING : State.ENDED);
        leaving.incrementAndGet();
        context.writeAndFlush(response).addListener(written -> {
            leaving.decrementAndGet();
            if (!more) {
                linger(context);
            } else {
                enter(context, State.IDLING);
                next(context);
            }
        });
    }

    private void next(ChannelHandlerContext context) {
        if (waiting.isEmpty()) {
            context.read();
        } else {
            enter(context, State.READING);
        }
        while (!waiting.isEmpty() && state == State.READING) {
            HttpObject part = waiting.remove();
            try {
                take(context, part);
            } finally {
                ReferenceCountUtil.release(part);
            }
        }
    }

    /** Keeps the connection open a little: a client that still sends would otherwise never read the answer. */
    private static void linger(ChannelHandlerContext context) {
        if (context.channel() instanceof DuplexChannel tcp) {
            tcp.shutdownOutput();
            context.read();
            context.executor().schedule(() -> context.close(), LINGER.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            context.close();
        }
    }

    private void stream(ChannelHandlerContext context, LiveAnswer.Events events, HttpRequest head) {
        if (!head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            last(context, LiveAnswer.line(505, "events need HTTP/1.1"));
            return;
        }
        if (!head.method().equals(HttpMethod.GET)) {
            last(context, LiveAnswer.line(405, "events are asked for by GET"));
            return;
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        headers(response, "text/event-stream");
        response.headers().set("x-accel-buffering", "no");
        HttpUtil.setTransferEncodingChunked(response, true);
        enter(context, State.STREAMING);
        context.write(response);
        events.stream().add(context.channel(), events.after());
        context.read();
    }

    private static void headers(HttpResponse response, String type) {
        HttpHeaders headers = response.headers();
        headers.set(HttpHeaderNames.CONTENT_TYPE, type);
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.set("x-content-type-options", "nosniff");
        headers.set("referrer-policy", "no-referrer");
        headers.set("cross-origin-resource-policy", "same-origin");
        headers.set("content-security-policy", "frame-ancestors 'none'");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
