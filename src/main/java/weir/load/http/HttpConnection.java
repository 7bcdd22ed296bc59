package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPipeline;
import weir.load.send.MessageBatch;

/** A connection of one sender. Belongs to the sender's thread. */
interface HttpConnection {
    /** The part of an answer's body that is kept. */
    int KEPT_BYTES = 1 << 20;

    int slot();

    void join(ChannelPipeline pipeline);

    boolean room();

    /** Sends a request, with the next {@link #flush} at the latest. */
    void send(HttpCall call);

    /** Writes what was sent since the last one: many requests at once, where a connection takes many. */
    default void flush() {}

    void expire(long sentBeforeNanos, String why);

    /** Ends it, and what is not answered is lost. May be called again. */
    void drop(String why);

    /** One request with the messages in it, from when they are taken until it is known what became of them. Used again then. */
    static final class HttpCall {
        final MessageBatch messages = new MessageBatch();
        final ByteBuf body;
        /** The value of the header with the identities or the id, in ASCII; empty where there is none. */
        final ByteBuf identities;
        /** The key, percent-encoded, for a query or a header; empty without one. */
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
