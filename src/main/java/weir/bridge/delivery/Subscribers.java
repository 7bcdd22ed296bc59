package weir.bridge.delivery;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import weir.plan.DispatchSpec;
import weir.time.MachineClock;

/** Makes what hands events on to each subscriber of a rung: a dispatcher on an event loop, and its connections. */
// A timer that does not fire belongs to a loop that has ended.
@SuppressWarnings("FutureReturnValueIgnored")
final class Subscribers {
    /** Connections where the order asks for one request for each partition. */
    private static final int CONNECTIONS = 256;

    private final RungSettings settings;
    private final EventLoopGroup loops;
    private final List<EventTarget> targets;
    private final Optional<EventTarget> deadLetters;
    private final LongSupplier clock;

    /** @throws IOException when there is a URL to which nothing can be sent */
    Subscribers(RungSettings settings, EventLoopGroup loops, LongSupplier clock) throws IOException {
        this.settings = settings;
        this.loops = loops;
        this.clock = clock;
        this.targets = new ArrayList<>();
        for (String url : settings.next()) {
            targets.add(EventTarget.of(url));
        }
        this.deadLetters =
                settings.parksByHttp() ? Optional.of(EventTarget.of(settings.deadLetters())) : Optional.empty();
    }

    int count() {
        return targets.size();
    }

    /**
     * The queue of one of them.
     *
     * @param topic for dead letters, where they go to one
     */
    SubscriberQueue queue(int subscriber, Optional<? extends LoopOutlet> topic, Dispatching listener) {
        EventLoop loop = loops.next();
        DispatchSpec dispatch = settings.dispatch();
        EventTarget target = targets.get(subscriber);
        int connections =
                dispatch.order() == DispatchSpec.Order.PARTITION ? CONNECTIONS : Math.max(1, dispatch.concurrency());
        Optional<Outlet> sink = deadLetters.isPresent()
                ? deadLetters.map(url -> connections(url, loop, CONNECTIONS))
                : topic.map(letters -> letters.on(loop));
        Dispatcher dispatcher = new Dispatcher(
                new RetryPolicy(dispatch.delivery(), MachineClock.WALL),
                dispatch.order(),
                dispatch.concurrency(),
                connections(target, loop, connections),
                sink,
                new FailedEvents(target.url()),
                (nanos, what) -> loop.schedule(what, nanos, TimeUnit.NANOSECONDS),
                listener);
        return new SubscriberQueue(loop, dispatcher);
    }

    private Outlet connections(EventTarget target, EventLoop loop, int most) {
        return new EventConnections(
                target, loop, most, settings.dispatch().delivery().timeout(), clock);
    }

    /** An outlet that tells on the event loop of whoever sends. */
    interface LoopOutlet {
        Outlet on(EventLoop loop);
    }
}
