package weir.bridge.delivery;

import io.netty.channel.EventLoop;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The events that other threads have for the {@link Dispatcher} of one subscriber, which belongs to an event loop. The loop is
 * woken once for many.
 */
final class SubscriberQueue {
    private final EventLoop loop;
    private final Dispatcher dispatcher;
    private final ConcurrentLinkedQueue<HeldEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();

    SubscriberQueue(EventLoop loop, Dispatcher dispatcher) {
        this.loop = loop;
        this.dispatcher = dispatcher;
    }

    /** Adds an event behind all that were added by the same thread. */
    void add(HeldEvent event) {
        if (loop.inEventLoop()) {
            drain();
            dispatcher.add(event);
            return;
        }
        waiting.add(event);
        if (woken.compareAndSet(false, true)) {
            loop.execute(this::drainWoken);
        }
    }

    private void drainWoken() {
        woken.set(false);
        drain();
    }

    private void drain() {
        for (HeldEvent next = waiting.poll(); next != null; next = waiting.poll()) {
            dispatcher.add(next);
        }
    }
}
