package weir.load.send;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import weir.measure.Recorder;

/** One running operation with consecutively numbered messages; it ends with the last answer. */
final class Operation {
    final int step;
    final long first;
    final int messages;
    final long dueNanos;
    final long sentNanos;
    final long backpressureNanos;
    private final Consequence consequence;
    /** The number of missing answers, plus one until all messages are sent. */
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

    long queued(Recorder recorder, long queuedNanos) {
        recorder.sent(step, 1, messages, dueNanos, sentNanos, queuedNanos, backpressureNanos, bytes);
        return queuedNanos;
    }

    boolean isOver() {
        return missing.get() == 0;
    }

    @Nullable Throwable failure() {
        return failure;
    }

    boolean acked(int number) {
        return acked[number];
    }
}
