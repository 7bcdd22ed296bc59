package weir.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** A thread that does something a while after every whole second since the origin. */
final class Ticker implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** {@code task} gets the number of the second that is over; what it throws fails the load. */
    Ticker(String name, Shared shared, long offsetNanos, LongConsumer task) {
        long originNanos = shared.plan().originNanos();
        thread = new Thread(
                () -> {
                    long second = Math.floorDiv(shared.now() - offsetNanos - originNanos, Shared.SECOND);
                    while (!closed) {
                        long next = originNanos + (second + 1) * Shared.SECOND + offsetNanos;
                        long now = shared.now();
                        if (now < next) {
                            LockSupport.parkNanos(next - now);
                        } else {
                            task.accept(second);
                            second = Math.max(
                                    second + 1, Math.floorDiv(shared.now() - offsetNanos - originNanos, Shared.SECOND));
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(shared.threads());
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
