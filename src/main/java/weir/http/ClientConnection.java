package weir.http;

import io.netty.channel.ChannelPipeline;

/** A connection of a {@link ConnectionPool} to a server. The event loop of the pool owns it. */
public interface ClientConnection {
    int slot();

    void join(ChannelPipeline pipeline);

    boolean room();

    /** Sends the collected requests. */
    default void flush() {}

    /**
     * Ends requests that were sent before this time.
     *
     * @return the time at which the oldest remaining request was sent; {@link Long#MAX_VALUE} if no request remains
     */
    long expire(long sentBeforeNanos, String why);

    /** Ends the connection without waiting for answers. May be called again. */
    void drop(String why);
}
