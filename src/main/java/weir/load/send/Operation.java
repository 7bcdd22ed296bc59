package weir.load.send;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One running operation, which ends when all of its messages are answered. */
final class Operation {
    final MessageBatch batch = new MessageBatch();
    final int messages;
    private final Consumer<Operation> consequence;
    /** The number of missing answers, plus one until all messages are sent. */
    private final AtomicInteger missing = new AtomicInteger(1);

    final boolean[] acked;
    volatile @Nullable Throwable failure;
    long bytes;

    Operation(int messages, Consumer<Operation> consequence) {
        this.messages = messages;
        this.acked = new boolean[messages];
        this.consequence = consequence;
    }

    Operator.Answer sends(int number) {
        missing.incrementAndGet();
        return new Operator.Answer() {
            @Override
            public void acked() {
                acked[number] = true;
                answered();
            }

            @Override
            public void failed(Throwable why) {
                failure = why;
                answered();
            }
        };
    }

    /** Counts an answer, or the end of sending. */
    void answered() {
        if (missing.decrementAndGet() == 0) {
            consequence.accept(this);
        }
    }

    boolean isOver() {
        return missing.get() == 0;
    }
}
