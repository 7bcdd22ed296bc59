package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A queue of messages from other threads to the thread of a sender or reader. That thread must not block. */
final class Mailbox {
    private final Selector selector;
    private final Queue<Item> items = new ArrayDeque<>();
    private boolean ended;

    interface Item {
        void deliver() throws IOException;

        default void drop() {}
    }

    Mailbox(Selector selector) {
        this.selector = selector;
    }

    void post(Item item) {
        synchronized (items) {
            if (!ended) {
                items.add(item);
                selector.wakeup();
                return;
            }
        }
        item.drop();
    }

    void tell() throws IOException {
        for (Item next = next(); next != null; next = next()) {
            next.deliver();
        }
    }

    private @Nullable Item next() {
        synchronized (items) {
            return items.poll();
        }
    }

    void end() {
        List<Item> late;
        synchronized (items) {
            ended = true;
            late = List.copyOf(items);
            items.clear();
        }
        late.forEach(Item::drop);
    }
}
