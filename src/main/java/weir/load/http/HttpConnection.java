package weir.load.http;

import io.netty.channel.ChannelPipeline;
import weir.http.HttpAnswer;

/** A connection of one sender. Belongs to the sender's thread. */
interface HttpConnection {
    /** The part of an answer's body that is kept. */
    int KEPT_BYTES = 1 << 20;

    /** Hears what becomes of requests, on the sender's thread. */
    interface Listener {
        /** There may be room for a request. */
        void ready(HttpConnection connection);

        /** {@code answer} is good for as long as the call lasts. */
        void answered(HttpCall call, HttpAnswer answer);

        /** It is not known what became of a request. */
        void lost(HttpCall call, String why);

        /** The connection has ended, after its requests were told; it is told once. */
        void ended(HttpConnection connection, String why);
    }

    /** Its place among those of the sender. */
    int slot();

    /** Puts its handlers behind those that are there. */
    void join(ChannelPipeline pipeline);

    /** True when it can take another request now. */
    boolean room();

    /** Sends a request, with the next {@link #flush} at the latest. */
    void send(HttpCall call);

    /** Writes what was sent since the last one: many requests at once, where a connection takes many. */
    default void flush() {}

    /** Gives up requests that were sent before this time and are not answered. */
    void expire(long sentBeforeNanos, String why);

    /** Ends it, and what is not answered is lost. May be called again. */
    void drop(String why);
}
