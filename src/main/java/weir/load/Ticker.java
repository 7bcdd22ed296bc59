package weir.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** A thread that does something a while after every whole second since the origin. */
final class Ticker implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    private final Thread thread;
    private volatile boolean closed;

    /** {@code task} gets the number of the second that is over; what it throws goes to the thread's handler. */
    Ticker(String name, long originNanos, long offsetNanos, LongConsumer task, Thread.UncaughtExceptionHandler died) {
        thread = new Thread(
                () -> {
                    long second = Math.floorDiv(System.nanoTime() - offsetNanos - originNanos, SECOND);
                    while (!closed) {
                        long next = originNanos + (second + 1) * SECOND + offsetNanos;
                        long now = System.nanoTime();
                        if (now < next) {
                            LockSupport.parkNanos(next - now);
                        } else {
                            task.accept(second);
                            second = Math.max(
                                    second + 1, Math.floorDiv(System.nanoTime() - offsetNanos - originNanos, SECOND));
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(died);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
