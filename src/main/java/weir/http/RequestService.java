package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The service that carries out the requests of a server. */
public interface RequestService {
    Resource resource(String path) throws Refusal;

    /** Chooses the task of a request with a body by its head, before the body is read. */
    Task begin(HttpHead head) throws Refusal;

    void look(String path, Reply reply);

    /** Creates the refusal of a request that found no room in time. */
    Refusal full();

    interface Task {
        /**
         * Carries the request out on its event loop, and answers then or later. The body's bytes stay in the {@link
         * ByteBudget} until the service returns them; if it throws, the server returns them.
         */
        void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal;
    }

    /** The incoming body of a request; all its bytes are in the {@link ByteBudget}. */
    final class RequestBody {
        /** The initial size: a client may announce more than it sends, so memory grows as bytes arrive. */
        private static final int BEGIN = 64 << 10;

        private static final byte[] NOTHING = {};

        final HttpHead head;
        final Task task;
        private byte[] bytes;
        private int length;
        long skimmed;

        @Nullable Refusal refusal;

        @Nullable Future<?> timeout;

        RequestBody(HttpHead head, Task task) {
            this.head = head;
            this.task = task;
            this.bytes = new byte[(int) Math.min(Math.max(head.length(), 0), BEGIN)];
        }

        public int length() {
            return length;
        }

        long arrived() {
            return length + skimmed;
        }

        void append(ByteBuf content) {
            int more = content.readableBytes();
            if (length + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
            }
            content.getBytes(content.readerIndex(), bytes, length, more);
            length += more;
        }

        int refuse(Refusal why) {
            refusal = why;
            int kept = length;
            skimmed += kept;
            length = 0;
            bytes = NOTHING;
            return kept;
        }

        @SuppressWarnings("EI_EXPOSE_REP")
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

    /** The place of the answer to one request, used once, on any thread. */
    final class Reply {
        private final RequestHandler handler;
        private final ChannelHandlerContext context;
        private final AnswerQueue.Pending pending;

        Reply(RequestHandler handler, ChannelHandlerContext context, AnswerQueue.Pending pending) {
            this.handler = handler;
            this.context = context;
            this.pending = pending;
        }

        /** Sends the answer; answers given at about the same time leave together. */
        public void answer(FullHttpResponse answer) {
            handler.reply(context, pending, answer);
        }

        public EventLoop loop() {
            return context.channel().eventLoop();
        }
    }
}
