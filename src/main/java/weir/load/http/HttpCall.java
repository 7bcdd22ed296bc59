package weir.load.http;

import io.netty.buffer.ByteBuf;
import weir.load.send.MessageBatch;

/** One request with the messages in it, from when they are taken until it is known what became of them. Used again then. */
final class HttpCall {
    final MessageBatch messages = new MessageBatch();
    /** The body, complete. */
    final ByteBuf body;
    /** The value of the header with the identities or the id, in ASCII; empty where there is none. */
    final ByteBuf identities;
    /** The key, percent-encoded, for a query or a header; empty without one. */
    final ByteBuf key;
    /** Bytes of all keys and values. */
    long contents;
    /** How often it was sent. */
    int attempts;
    /** When it was sent last. */
    long sentNanos;
    /** When it is to be sent again. */
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
