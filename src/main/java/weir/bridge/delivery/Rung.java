package weir.bridge.delivery;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.bridge.http.BridgeServer;
import weir.bridge.http.EventLoops;
import weir.bridge.http.RequestLimits;
import weir.bridge.http.ServerCounters;
import weir.bridge.http.ServerSettings;
import weir.http.Access;

/** One process on the way of an event. */
// A loop that ends tells nobody.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Rung implements AutoCloseable {
    private final EventLoopGroup loops;
    private final BridgeServer server;
    private final RungParts parts;
    private final RungFigures figures;
    private final LongSupplier clock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Rung(EventLoopGroup loops, BridgeServer server, RungParts parts, RungFigures figures, LongSupplier clock) {
        this.loops = loops;
        this.server = server;
        this.parts = parts;
        this.figures = figures;
        this.clock = clock;
    }

    /**
     * Returns when it can be connected to, and reads from where it left off.
     *
     * @param clock of the run: the time at which events are due
     * @throws IOException when it cannot listen there
     */
    public static Rung start(RungSettings settings, LongSupplier clock) throws IOException {
        return start(settings, KafkaClients.REAL, clock);
    }

    static Rung start(RungSettings settings, KafkaClients clients, LongSupplier clock) throws IOException {
        EventLoopGroup loops = EventLoops.group(loops());
        ServerCounters counters = new ServerCounters();
        RungFigures figures = new RungFigures(counters);
        RungParts parts = new RungParts(settings, clients, loops, counters, figures, clock);
        try {
            EventUse use = parts.use();
            ServerSettings place = new ServerSettings(
                    settings.host(),
                    settings.port(),
                    RequestLimits.DEFAULT,
                    Access.to(new InetSocketAddress(settings.host(), settings.port()), "", false),
                    Duration.ZERO);
            EventRequests requests = new EventRequests(use, parts.holder(), figures, clock);
            BridgeServer server =
                    BridgeServer.start(place, Optional.empty(), requests, parts.budget(), counters, loops);
            return new Rung(loops, server, parts, figures, clock);
        } catch (IOException | RuntimeException e) {
            parts.close();
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    /** Whoever sends and receives has the other half of the machine. One loop on two cores wakes nobody else for an event. */
    private static int loops() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    public InetSocketAddress address() {
        return server.address();
    }

    /** From now on ages and times are those of events that were due in this span of the steady clock. */
    public void tells(long fromNanos, long toNanos) {
        figures.tells(fromNanos, toNanos);
    }

    /**
     * Tells its figures, all of them totals since the start; once a second.
     *
     * @throws IllegalStateException when it does not work any more
     */
    public void look(ObjDoubleConsumer<String> into) {
        String fault = parts.holder().fault();
        if (!fault.isEmpty()) {
            throw new IllegalStateException(fault);
        }
        figures.look(into);
        into.accept("events.held", (double) parts.holder().heldLately());
    }

    /** Takes nothing more, and hands on what it holds, and ends within ten seconds. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        long deadline = clock.getAsLong() + BridgeServer.LAST.toNanos();
        server.drain(BridgeServer.LAST);
        parts.holder().drain(deadline);
        server.close();
        parts.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(BridgeServer.LAST.toMillis());
    }
}
