package weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.load.engine.TopicGone;
import weir.time.DaemonThreads;

/** The threads of a load. If a thread dies, the load fails with the thread's reason. */
public final class LoadThreads implements Thread.UncaughtExceptionHandler {
    private static final long LOOK_MILLIS = 5;

    private final LongSupplier clock;
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore signal = new Semaphore(0);
    private @Nullable Throwable failure;
    private String failed = "";

    LoadThreads(LongSupplier clock) {
        this.clock = clock;
    }

    void start(String name, Runnable task) {
        Thread thread = DaemonThreads.of(name, task);
        thread.setUncaughtExceptionHandler(this);
        threads.add(thread);
        thread.start();
    }

    @Override
    public synchronized void uncaughtException(Thread thread, Throwable why) {
        if (failure == null) {
            failure = why;
            failed = thread.getName();
        }
        wake();
    }

    synchronized void check() {
        for (Throwable why = failure; why != null; why = why.getCause()) {
            if (why instanceof TopicGone gone) {
                throw new TopicGone(String.valueOf(gone.getMessage()));
            }
        }
        if (failure != null) {
            throw new IllegalStateException("thread " + failed + " died: " + failure, failure);
        }
    }

    /** Waits for {@code millis}, or less if a thread dies or {@link #wake} is called. */
    public void pause(long millis) {
        check();
        try {
            if (signal.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                signal.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        check();
    }

    void wake() {
        signal.release();
    }

    boolean join(String prefix, long deadlineNanos) {
        boolean ended = true;
        for (Thread thread : threads) {
            if (thread.getName().startsWith(prefix)) {
                try {
                    do {
                        thread.join(LOOK_MILLIS);
                    } while (thread.isAlive() && clock.getAsLong() < deadlineNanos);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
                ended &= !thread.isAlive();
            }
        }
        return ended;
    }
}
