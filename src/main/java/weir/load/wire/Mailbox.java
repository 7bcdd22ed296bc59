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
    private final Queue<Letter> letters = new ArrayDeque<>();
    private boolean ended;

    interface Item {
        void deliver() throws IOException;
    }

    private record Letter(Item item, Runnable drop) {}

    Mailbox(Selector selector) {
        this.selector = selector;
    }

    void post(Item item) {
        post(item, () -> {});
    }

    /** Posts a message. {@code drop} runs instead of its delivery after {@link #end}. */
    void post(Item item, Runnable drop) {
        synchronized (letters) {
            if (!ended) {
                letters.add(new Letter(item, drop));
                selector.wakeup();
                return;
            }
        }
        drop.run();
    }

    void deliver() throws IOException {
        for (Letter next = next(); next != null; next = next()) {
            next.item.deliver();
        }
    }

    private @Nullable Letter next() {
        synchronized (letters) {
            return letters.poll();
        }
    }

    void end() {
        List<Letter> late;
        synchronized (letters) {
            ended = true;
            late = List.copyOf(letters);
            letters.clear();
        }
        late.forEach(letter -> letter.drop.run());
    }
}
