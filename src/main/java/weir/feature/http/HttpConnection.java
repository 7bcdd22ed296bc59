package weir.feature.http;

import io.netty.buffer.ByteBuf;
import weir.http.ConnectionPool.ClientConnection;
import weir.load.send.MessageBatch;

interface HttpConnection extends ClientConnection {
    int KEPT_BYTES = 1 << 20;

    /** Writes a request, which leaves immediately or at the next {@link #flush}. */
    void send(HttpCall call);

    /** A request and its messages, until the outcome of all messages is known. The object is then reused. */
    static final class HttpCall {
        final MessageBatch messages = new MessageBatch();
        final ByteBuf body;
        final ByteBuf identities;
        final ByteBuf key;

        long contents;
        int attempts;
        long sentNanos;
        long againNanos;

        HttpCall(ByteBuf body, ByteBuf identities, ByteBuf key) {
            this.body = body;
            this.identities = identities;
            this.key = key;
        }

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
