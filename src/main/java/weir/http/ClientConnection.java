package weir.http;

import io.netty.channel.ChannelPipeline;

/** A connection of a {@link ConnectionPool} to a server; the event loop of the pool owns it. */
public interface ClientConnection {
    int slot();

    void join(ChannelPipeline pipeline);

    boolean room();

    /** Sends requests that were not sent at once. */
    default void flush() {}

    /**
     * Ends requests that were sent before this time.
     *
     * @return the time at which the oldest other request was sent; {@link Long#MAX_VALUE} if none is open
     */
    long expire(long sentBeforeNanos, String why);

    /** Ends the connection; unanswered requests are lost. May be called again. */
    void drop(String why);
}
