package weir.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The answers that come later, and from any thread, for the connections of one event loop. Many requests may be settled at
 * once: the loop is woken once for all of them, and each connection is flushed once.
 */
final class Replies {
    private final EventLoop loop;
    private final ConcurrentLinkedQueue<Reply> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();

    private record Reply(ChannelHandlerContext context, Runnable write) {}

    Replies(EventLoop loop) {
        this.loop = loop;
    }

    void add(ChannelHandlerContext context, Runnable write) {
        waiting.add(new Reply(context, write));
        if (woken.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        woken.set(false);
        Set<ChannelHandlerContext> written = new HashSet<>();
        for (Reply next = waiting.poll(); next != null; next = waiting.poll()) {
            next.write.run();
            written.add(next.context);
        }
        written.forEach(ChannelHandlerContext::flush);
    }
}
