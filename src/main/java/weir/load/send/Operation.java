package weir.load.send;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import weir.measure.Recorder;

/** One operation under way: its messages are numbered in a row, and it is over when the last of them is answered. */
final class Operation {
    final int step;
    final long first;
    final int messages;
    final long dueNanos;
    final long sentNanos;
    final long backpressureNanos;
    private final Consequence consequence;
    /** One more than the answers that are missing, until all are sent. */
    private final AtomicInteger missing = new AtomicInteger(1);

    private final boolean[] acked;
    private volatile @Nullable Throwable failure;
    long bytes;

    Operation(
            int step,
            long first,
            int messages,
            long dueNanos,
            long sentNanos,
            long backpressureNanos,
            Consequence consequence) {
        this.step = step;
        this.first = first;
        this.messages = messages;
        this.dueNanos = dueNanos;
        this.sentNanos = sentNanos;
        this.backpressureNanos = backpressureNanos;
        this.acked = new boolean[messages];
        this.consequence = consequence;
    }

    /** The callback for the end of an operation. */
    interface Consequence {
        void over(Operation operation);
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

    void sent() {
        answered();
    }

    private void answered() {
        if (missing.decrementAndGet() == 0) {
            consequence.over(this);
        }
    }

    /** Records that all messages were handed to the engine at this moment, which it returns. */
    long queued(Recorder recorder, long queuedNanos) {
        recorder.sent(step, 1, messages, dueNanos, sentNanos, queuedNanos, backpressureNanos, bytes);
        return queuedNanos;
    }

    boolean isOver() {
        return missing.get() == 0;
    }

    /** Why a message of it, or all of it, failed. */
    @Nullable Throwable failure() {
        return failure;
    }

    boolean acked(int number) {
        return acked[number];
    }
}
