package weir.feature.http;

import io.netty.buffer.ByteBuf;
import weir.http.ClientConnection;
import weir.load.send.MessageBatch;

/** A connection of one sender. */
interface HttpConnection extends ClientConnection {
    int KEPT_BYTES = 1 << 20;

    /** Sends a request, at the latest at the next {@link #flush}. */
    void send(HttpCall call);

    /** One request and its messages until their outcome is known; then it is reused. */
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
