package weir.feature.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import weir.http.ConnectionPool.ClientConnection;
import weir.load.send.MessageBatch;

interface HttpConnection extends ClientConnection {
    int KEPT_BYTES = 1 << 20;

    /** Writes a request, which leaves immediately or at the next {@link #flush}. */
    void send(HttpCall call);

    /** A request and its messages, until the outcome of all messages is known. The object is then reused. */
    static final class HttpCall {
        private static final int BODY_BYTES = 1 << 10;

        final MessageBatch messages = new MessageBatch();
        final ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer(BODY_BYTES);
        final ByteBuf identities = PooledByteBufAllocator.DEFAULT.directBuffer();
        final ByteBuf key = PooledByteBufAllocator.DEFAULT.directBuffer();

        long contents;
        int attempts;
        long sentNanos;
        long againNanos;

        void clear() {
            body.clear();
            identities.clear();
            key.clear();
            contents = 0;
            attempts = 0;
        }

        void release() {
            body.release();
            identities.release();
            key.release();
        }
    }
}
