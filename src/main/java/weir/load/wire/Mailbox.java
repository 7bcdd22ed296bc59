package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import weir.load.read.Inbox;

/** The messages of threads that may block to a reader's thread, which may not. */
final class Mailbox {
    private final Selector selector;
    private final Queue<Item> items = new ArrayDeque<>();
    private boolean ended;

    /** The outcome of something, to be told to the reader. */
    interface Item {
        void tell(Inbox inbox) throws IOException;

        /** Nobody reads any more. */
        default void drop() {}
    }

    /** {@code selector} is what the reader waits with. */
    Mailbox(Selector selector) {
        this.selector = selector;
    }

    /** From any thread. */
    void hear(Item item) {
        synchronized (items) {
            if (!ended) {
                items.add(item);
                selector.wakeup();
                return;
            }
        }
        item.drop();
    }

    /** On the reader's thread: all that was heard. */
    void tell(Inbox inbox) throws IOException {
        for (Item next = next(); next != null; next = next()) {
            next.tell(inbox);
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
