package weir.live.page;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import weir.plan.trial.Trial;
import weir.results.ProbeReading;
import weir.results.WindowRow;

/**
 * The windows of a run and the readings of probes, on their way from those who measure to whoever shows them. Who puts one in
 * never waits: when it is full, what comes is dropped.
 */
final class SecondQueue {
    /** The readings of some seconds of a large cluster, while a report is made. */
    static final int MOST = 1 << 16;

    private final BlockingQueue<Heard> waiting;
    private final AtomicBoolean dropped = new AtomicBoolean();

    /** Something that was heard. */
    sealed interface Heard {
        record Begun() implements Heard {}

        record Window(Trial trial, WindowRow row) implements Heard {}

        record Reading(Trial trial, ProbeReading reading) implements Heard {}
    }

    SecondQueue(int most) {
        waiting = new ArrayBlockingQueue<>(most);
    }

    void offer(Heard heard) {
        if (!waiting.offer(heard)) {
            dropped.set(true);
        }
    }

    /** All that wait, and no more of them than there were. */
    List<Heard> take() {
        List<Heard> taken = new ArrayList<>();
        waiting.drainTo(taken);
        return taken;
    }

    /** True when something was dropped since this was asked last. */
    boolean dropped() {
        return dropped.getAndSet(false);
    }
}
