package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The work that a server is there for. */
public interface RequestService {
    Resource resource(String path) throws Refusal;

    /** Decides by its head what is done with a request that brings something, before its body is read. */
    Task begin(HttpHead head) throws Refusal;

    void look(String path, Reply reply);

    /** A request for which there was no room for as long as it may wait. */
    Refusal full();

    interface Task {
        /**
         * Does it on the event loop of the request, and answers then or later. The bytes of the body are in the {@link
         * ByteBudget} until whoever does this gives them back; where it throws, they are given back by others.
         */
        void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal;
    }

    /** The body of a request while it comes. Its bytes are in the {@link ByteBudget} from their first on. */
    final class RequestBody {
        /** A client may announce more than it sends: memory is taken as it comes. */
        private static final int BEGIN = 64 << 10;

        private static final byte[] NOTHING = {};

        final HttpHead head;
        final Task task;
        private byte[] bytes;
        private int length;
        long skimmed;
        /** The reason why nothing of it is kept; null while it is kept. */
        @Nullable Refusal refusal;

        @Nullable Future<?> timeout;

        RequestBody(HttpHead head, Task task) {
            this.head = head;
            this.task = task;
            this.bytes = new byte[(int) Math.min(Math.max(head.length(), 0), BEGIN)];
        }

        /** Bytes that are in the budget. */
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

        /** Keeps nothing of it for this reason; returns the bytes that were kept. */
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

    /** The place of the answer to one request; to be used once, on any thread. */
    final class Reply {
        private final RequestHandler handler;
        private final ChannelHandlerContext context;
        private final AnswerQueue.Pending pending;

        Reply(RequestHandler handler, ChannelHandlerContext context, AnswerQueue.Pending pending) {
            this.handler = handler;
            this.context = context;
            this.pending = pending;
        }

        /** Answers; what is answered at about the same time leaves together. */
        public void answer(FullHttpResponse answer) {
            handler.reply(context, pending, answer);
        }

        public EventLoop loop() {
            return context.channel().eventLoop();
        }
    }
}
