package weir.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one client, either all kept open or opened on demand. After a failure, the pool waits before it
 * opens the connection again; each further failure makes the wait longer. Only one event loop uses a pool.
 */
// The owner is informed of a failed connection attempt.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ConnectionPool<C extends ConnectionPool.ClientConnection> {
    private static final long PAUSE_NANOS = 20_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final Bootstrap bootstrap;
    private final Preference use;
    private final Owner<C> owner;
    private final List<Slot<C>> slots = new ArrayList<>();
    private final ArrayDeque<Slot<C>> ready = new ArrayDeque<>();
    private int open;

    public enum Preference {
        IN_TURN,
        LAST_FIRST
    }

    public interface Owner<C extends ClientConnection> {
        HttpTarget target(int slot);

        /** The certificates that the client trusts; empty if no target uses TLS. */
        default Optional<SslContext> tls() {
            return Optional.empty();
        }

        C connection(int slot, ConnectionPool<C> pool);

        void refused(int slot, String why);

        /** Returns true if the owner used the free connection immediately. */
        default boolean uses(C connection) {
            return false;
        }

        default void ended() {}
    }

    private static final class Slot<C extends ClientConnection> {
        final int number;

        @Nullable C connection;

        boolean queued;
        long dialNanos;
        long pauseNanos = PAUSE_NANOS;

        Slot(int number) {
            this.number = number;
        }
    }

    public ConnectionPool(EventLoopGroup loop, int most, Preference use, Duration connecting, Owner<C> owner) {
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(EventLoops.client())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(connecting.toMillis(), Integer.MAX_VALUE));
        this.use = use;
        this.owner = owner;
        for (int i = 0; i < most; i++) {
            slots.add(new Slot<>(i));
        }
    }

    /** Opens all connections except those in a pause after a failure. */
    public void openAll(long now) {
        for (Slot<C> slot : slots) {
            if (slot.connection == null && now >= slot.dialNanos) {
                dial(slot, now);
            }
        }
    }

    public void openOne(long now) {
        for (int i = 0; i < slots.size() && open < slots.size(); i++) {
            if (slots.get(i).connection == null) {
                dial(slots.get(i), now);
                return;
            }
        }
    }

    private void dial(Slot<C> slot, long now) {
        HttpTarget target = owner.target(slot.number);
        C connection = owner.connection(slot.number, this);
        slot.connection = connection;
        slot.dialNanos = now + slot.pauseNanos;
        slot.pauseNanos = Math.min(2 * slot.pauseNanos, LONGEST_PAUSE_NANOS);
        open++;
        bootstrap
                .clone()
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (target.tls()) {
                            SslContext tls = owner.tls().orElseThrow();
                            channel.pipeline()
                                    .addLast(tls.newHandler(
                                            channel.alloc(),
                                            target.name(),
                                            target.address().getPort()));
                        }
                        connection.join(channel.pipeline());
                    }
                })
                .connect(target.address())
                .addListener((ChannelFutureListener) done -> {
                    if (!done.isSuccess()) {
                        String why = String.valueOf(done.cause().getMessage());
                        owner.refused(slot.number, why);
                        connection.drop(why);
                    }
                });
    }

    /** Adds a connection that may accept requests. */
    public void ready(ClientConnection connection) {
        Slot<C> slot = slots.get(connection.slot());
        C known = slot.connection;
        if (known == connection && connection.room()) {
            slot.pauseNanos = PAUSE_NANOS;
            if (!owner.uses(known) && !slot.queued) {
                slot.queued = true;
                ready.add(slot);
            }
        }
    }

    public void ended(ClientConnection connection) {
        Slot<C> slot = slots.get(connection.slot());
        if (slot.connection == connection) {
            slot.connection = null;
            open--;
            if (slot.pauseNanos == PAUSE_NANOS) {
                // Reconnects at once, because the connection worked until now.
                slot.dialNanos = Long.MIN_VALUE;
            }
            owner.ended();
        }
    }

    /** Returns a connection that accepts a request; null if there is none. */
    public @Nullable C take() {
        while (!ready.isEmpty()) {
            Slot<C> next = use == Preference.IN_TURN ? ready.removeFirst() : ready.removeLast();
            next.queued = false;
            if (next.connection != null && next.connection.room()) {
                return next.connection;
            }
        }
        return null;
    }

    public void flush() {
        for (Slot<C> slot : slots) {
            if (slot.connection != null) {
                slot.connection.flush();
            }
        }
    }

    public long expire(long sentBeforeNanos, String why) {
        long oldest = Long.MAX_VALUE;
        for (Slot<C> slot : slots) {
            if (slot.connection != null) {
                oldest = Math.min(oldest, slot.connection.expire(sentBeforeNanos, why));
            }
        }
        return oldest;
    }

    public void close(String why) {
        for (Slot<C> slot : slots) {
            slot.dialNanos = Long.MAX_VALUE;
            if (slot.connection != null) {
                slot.connection.drop(why);
            }
        }
    }

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
}
