package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A service behind an HTTP server, which chooses for each request the task that answers. */
public interface RequestService {
    Resource resource(String path) throws Refusal;

    /** Chooses the task for a request from its head, before the body arrives. */
    Task begin(HttpHead head) throws Refusal;

    void answerQuery(HttpHead head, Reply reply);

    Refusal full();

    default Map<String, String> headers() {
        return Map.of();
    }

    default FullHttpResponse refused(Refusal why) {
        return Answers.refused(why);
    }

    interface Task {
        /**
         * Performs the request on its event loop, and answers then or later. The service returns the body's bytes to
         * the {@link ByteBudget}; if it throws, the server returns them.
         */
        void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal;

        /** Returns the bytes at the start of the body that the service uses. Further bytes are only counted. */
        default int keptBytes() {
            return Integer.MAX_VALUE;
        }
    }

    /** The incoming body of a request. The {@link ByteBudget} counts the kept bytes. */
    final class RequestBody {
        /** The initial bytes. Memory grows as bytes arrive, because a client may announce more bytes than it sends. */
        private static final int BEGIN = 64 << 10;

        private static final byte[] NOTHING = {};

        final HttpHead head;
        final Task task;
        private byte[] bytes;
        private int length;
        private long skimmed;

        @Nullable Refusal refusal;

        @Nullable Future<?> timeout;

        RequestBody(HttpHead head, Task task) {
            this.head = head;
            this.task = task;
            int most = Math.min(task.keptBytes(), BEGIN);
            this.bytes = new byte[(int) Math.min(Math.max(head.length(), 0), most)];
        }

        public int length() {
            return length;
        }

        /** Returns the number of received bytes, including discarded bytes. */
        public long arrived() {
            return length + skimmed;
        }

        int kept(int more) {
            return refusal == null ? Math.min(more, task.keptBytes() - length) : 0;
        }

        void append(ByteBuf content, int kept) {
            if (length + kept > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + kept, 2 * bytes.length));
            }
            content.getBytes(content.readerIndex(), bytes, length, kept);
            length += kept;
            skimmed += content.readableBytes() - kept;
        }

        int refuse(Refusal why) {
            refusal = why;
            int kept = length;
            skimmed += kept;
            length = 0;
            bytes = NOTHING;
            return kept;
        }

        public byte[] bytes() {
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }

        void cancelTimeout() {
            Future<?> pending = timeout;
            if (pending != null) {
                pending.cancel(false);
            }
        }
    }

    /** An object that answers one request, once, on any thread. */
    final class Reply {
        private final RequestHandler handler;
        private final ChannelHandlerContext context;
        final boolean begun;

        final boolean bare;
        /** True for HTTP/1.0, whose clients wait for the end of the connection unless a header keeps it open. */
        final boolean old;

        boolean last;

        @Nullable HttpResponse answer;

        @Nullable Consumer<Channel> stream;

        /** {@code last}: the connection ends with the answer; {@code request}: null if its head was unreadable. */
        Reply(
                RequestHandler handler,
                ChannelHandlerContext context,
                boolean begun,
                boolean last,
                @Nullable HttpRequest request) {
            this.handler = handler;
            this.context = context;
            this.begun = begun;
            this.last = last;
            this.bare = request != null && request.method().equals(HttpMethod.HEAD);
            this.old = request != null && request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        }

        public void answer(FullHttpResponse with) {
            handler.reply(context, this, with);
        }

        /** Sends the head of an endless answer; {@code begin} writes the rest. The client must send nothing more. */
        public void stream(HttpResponse head, Consumer<Channel> begin) {
            stream = begin;
            handler.reply(context, this, head);
        }

        public EventLoop loop() {
            return context.channel().eventLoop();
        }
    }
}
