package weir.feature.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.event.EventAttributes;
import weir.feature.http.HttpConnection.HttpCall;
import weir.http.ConnectionPool;
import weir.http.HttpAnswer;
import weir.http.HttpTarget;
import weir.load.message.Identity;

/** An HTTP/2 connection (RFC 9113). The server limits the number of concurrent requests. */
// A failed write or close ends the connection, and a listener handles this end.
@SuppressWarnings("FutureReturnValueIgnored")
final class Http2Connection extends Http2EventAdapter implements HttpConnection {
    private static final int STREAMS = 100;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final AsciiString IDENTITIES = AsciiString.cached("record-header-" + Identity.HEADER);
    private static final AsciiString ID = AsciiString.cached(EventAttributes.HTTP_PREFIX + "id");
    private static final AsciiString PARTITION_KEY = AsciiString.cached(EventAttributes.HTTP_PREFIX + "partitionkey");
    private static final AsciiString RETRY_AFTER = AsciiString.cached("retry-after");

    private final int slot;
    private final boolean events;
    private final List<String> paths;
    private final Http2Headers constant;
    private final HttpSender sender;
    private final ConnectionPool<HttpConnection> pool;
    private final DefaultHttp2Connection connection = new DefaultHttp2Connection(false);
    private final Http2ConnectionHandler handler;
    private final IntObjectMap<Exchange> exchanges = new IntObjectHashMap<>();
    private @Nullable ChannelHandlerContext context;
    private boolean settled;
    private boolean unflushed;
    private boolean over;
    private boolean reported;

    private record Exchange(HttpCall call, HttpAnswer answer) {}

    Http2Connection(
            int slot,
            HttpTarget target,
            HttpSettings settings,
            HttpSender sender,
            ConnectionPool<HttpConnection> pool) {
        this.slot = slot;
        this.events = settings.events();
        this.paths = settings.paths(target);
        this.constant = new DefaultHttp2Headers(false)
                .method(AsciiString.cached("POST"))
                .scheme(AsciiString.of(target.tls() ? "https" : "http"))
                .authority(AsciiString.of(target.host()));
        settings.headers()
                .forEach((name, value) ->
                        constant.set(AsciiString.of(name.toLowerCase(Locale.ROOT)), AsciiString.of(value)));
        this.sender = sender;
        this.pool = pool;
        connection.addListener(this);
        this.handler = new Http2ConnectionHandlerBuilder()
                .connection(connection)
                .frameListener(this)
                .initialSettings(
                        Http2Settings.defaultSettings().pushEnabled(false).initialWindowSize(WINDOW_BYTES))
                .gracefulShutdownTimeoutMillis(0)
                .build();
    }

    @Override
    public void join(ChannelPipeline pipeline) {
        pipeline.addLast(handler, new Watch());
        context = pipeline.context(handler);
    }

    private final class Watch extends ChannelInboundHandlerAdapter {
        @Override
        public void channelInactive(ChannelHandlerContext from) {
            lose("the connection was closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
            drop(String.valueOf(cause.getMessage()));
        }
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public boolean room() {
        int allowed = Math.min(STREAMS, connection.local().maxActiveStreams());
        return settled && !over && exchanges.size() < allowed && !connection.goAwayReceived();
    }

    @Override
    public void send(HttpCall call) {
        ChannelHandlerContext on = Objects.requireNonNull(context, "not connected yet");
        int id = connection.local().incrementAndGetNextStreamId();
        if (id < 0) {
            drop("the connection has no stream left");
            sender.lost(call, "the connection has no stream left");
            return;
        }
        exchanges.put(id, new Exchange(call, new HttpAnswer(KEPT_BYTES)));
        handler.encoder().writeHeaders(on, id, head(call), 0, false, on.newPromise());
        handler.encoder().writeData(on, id, call.body.retainedDuplicate(), 0, true, on.newPromise());
        unflushed = true;
    }

    @Override
    public void flush() {
        if (unflushed && context != null) {
            unflushed = false;
            context.pipeline().flush();
        }
    }

    private Http2Headers head(HttpCall call) {
        String path = paths.get(call.messages.topic);
        String key = call.key.toString(StandardCharsets.US_ASCII);
        Http2Headers head = new DefaultHttp2Headers(false)
                .path(events || key.isEmpty() ? path : path + "?key=" + key)
                .add(constant);
        if (call.identities.isReadable()) {
            head.set(events ? ID : IDENTITIES, call.identities.toString(StandardCharsets.US_ASCII));
        }
        if (events && !key.isEmpty()) {
            head.set(PARTITION_KEY, key);
        }
        return head;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext from, Http2Settings settings) {
        settled = true;
        pool.ready(this);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext from,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last) {
        onHeadersRead(from, id, headers, padding, last);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext from, int id, Http2Headers headers, int padding, boolean last) {
        Exchange exchange = exchanges.get(id);
        if (exchange != null && headers.status() != null) {
            exchange.answer.begin(Integer.parseInt(headers.status().toString()));
            exchange.answer.retryAfter(headers.get(RETRY_AFTER, "").toString());
        }
        if (last) {
            answered(id);
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext from, int id, ByteBuf data, int padding, boolean last) {
        int bytes = data.readableBytes();
        Exchange exchange = exchanges.get(id);
        if (exchange != null) {
            exchange.answer.append(data, bytes);
        }
        if (last) {
            answered(id);
        }
        return bytes + padding;
    }

    private void answered(int id) {
        Exchange exchange = exchanges.remove(id);
        if (exchange != null) {
            sender.answered(exchange.call, exchange.answer);
            pool.ready(this);
        }
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        Exchange exchange = exchanges.remove(stream.id());
        if (exchange != null) {
            sender.lost(exchange.call, "the stream was reset");
            pool.ready(this);
        }
    }

    @Override
    public void onGoAwayReceived(int lastStream, long code, ByteBuf why) {
        if (exchanges.isEmpty()) {
            drop("the server accepts no more requests on this connection");
        }
    }

    @Override
    public long expire(long sentBeforeNanos, String why) {
        List<Integer> late = new ArrayList<>();
        long oldest = Long.MAX_VALUE;
        for (IntObjectMap.PrimitiveEntry<Exchange> entry : exchanges.entries()) {
            long sent = entry.value().call.sentNanos;
            if (sent < sentBeforeNanos) {
                late.add(entry.key());
            } else {
                oldest = Math.min(oldest, sent);
            }
        }
        ChannelHandlerContext on = context;
        for (int id : late) {
            Exchange exchange = exchanges.remove(id);
            if (on != null) {
                handler.resetStream(on, id, Http2Error.CANCEL.code(), on.newPromise());
                on.pipeline().flush();
            }
            sender.lost(exchange.call, why);
        }
        return oldest;
    }

    private void lose(String why) {
        if (reported) {
            return;
        }
        reported = true;
        over = true;
        List<Exchange> lost = new ArrayList<>(exchanges.values());
        exchanges.clear();
        lost.forEach(exchange -> sender.lost(exchange.call, why));
        pool.ended(this);
    }

    @Override
    public void drop(String why) {
        lose(why);
        if (context != null) {
            context.channel().close();
        }
    }
}
