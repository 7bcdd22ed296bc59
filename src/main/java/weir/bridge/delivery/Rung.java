package weir.bridge.delivery;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.bridge.http.BridgeServer;
import weir.bridge.http.ByteBudget;
import weir.bridge.http.EventLoops;
import weir.bridge.http.RequestLimits;
import weir.bridge.http.ServerCounters;
import weir.bridge.http.ServerSettings;

/** One process on the way of an event. */
// A loop that ends tells nobody.
@SuppressWarnings("FutureReturnValueIgnored")
public final class Rung implements AutoCloseable {
    private final EventLoopGroup loops;
    private final BridgeServer server;
    private final Holder holder;
    private final RungFigures figures;

    private Rung(EventLoopGroup loops, BridgeServer server, Holder holder, RungFigures figures) {
        this.loops = loops;
        this.server = server;
        this.holder = holder;
        this.figures = figures;
    }

    /**
     * Returns when it can be connected to, and reads from where it left off.
     *
     * @throws IOException when it cannot listen there
     */
    public static Rung start(RungSettings settings) throws IOException {
        EventLoopGroup loops = EventLoops.group();
        Holder holder = Holder.NONE;
        try {
            ServerCounters counters = new ServerCounters();
            RungFigures figures = new RungFigures(counters);
            ByteBudget budget = new ByteBudget(settings.dispatch().memory().bytes());
            LongSupplier clock = System::nanoTime;
            Subscribers subscribers = new Subscribers(settings, loops, clock);
            EventUse use;
            switch (settings.role()) {
                case INGRESS -> {
                    NextHop next = next(settings, budget, counters, figures, clock);
                    use = new Ingress(next, figures, settings.dispatch().ttl(), clock);
                }
                case FILTER -> {
                    NextHop next = next(settings, budget, counters, figures, clock);
                    use = new Filter(next, settings.dispatch().filter(), budget, figures, clock);
                }
                case MEMORY_CHANNEL -> {
                    MemoryChannel channel = new MemoryChannel(subscribers, Optional.empty(), budget, figures, clock);
                    holder = channel;
                    use = channel;
                }
                case KAFKA_CHANNEL, SOURCE -> throw new IOException("not built yet: " + settings);
                default -> throw new AssertionError("no such role: " + settings.role());
            }
            ServerSettings place =
                    new ServerSettings(settings.host(), settings.port(), RequestLimits.DEFAULT, "", Duration.ZERO);
            EventRequests requests = new EventRequests(use, holder, figures, clock);
            BridgeServer server = BridgeServer.start(place, Optional.empty(), requests, budget, counters, loops);
            return new Rung(loops, server, holder, figures);
        } catch (IOException | RuntimeException e) {
            holder.close();
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static NextHop next(
            RungSettings settings, ByteBudget budget, ServerCounters counters, RungFigures figures, LongSupplier clock)
            throws IOException {
        Duration timeout = settings.dispatch().delivery().timeout();
        return new NextHop(EventTarget.of(settings.next().get(0)), timeout, budget, counters, figures, clock);
    }

    public InetSocketAddress address() {
        return server.address();
    }

    /**
     * Tells its figures, all of them totals since the start; once a second.
     *
     * @throws IllegalStateException when it does not work any more
     */
    public void look(ObjDoubleConsumer<String> into) {
        String fault = holder.fault();
        if (!fault.isEmpty()) {
            throw new IllegalStateException(fault);
        }
        figures.look(into);
        into.accept("events.held", holder.heldLately());
    }

    /** Takes nothing more, and hands on what it holds for at most ten seconds. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + BridgeServer.LAST.toNanos();
        server.drain(BridgeServer.LAST);
        holder.drain(deadline);
        server.close();
        holder.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(BridgeServer.LAST.toMillis());
    }
}
