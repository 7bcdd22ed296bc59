package weir.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** A thread that does something over and over, a while after each period since the origin. */
final class Ticker implements AutoCloseable {
    private final Thread thread;
    private volatile long nextNanos = Long.MIN_VALUE;
    private volatile boolean closed;

    /** {@code task} gets the number of the period that is over; what it throws fails the load. */
    Ticker(String name, LoadContext shared, long periodNanos, long offsetNanos, LongConsumer task) {
        long originNanos = shared.plan().originNanos();
        thread = new Thread(
                () -> {
                    long period = Math.floorDiv(shared.now() - offsetNanos - originNanos, periodNanos);
                    while (!closed) {
                        long next = originNanos + (period + 1) * periodNanos + offsetNanos;
                        nextNanos = next;
                        long now = shared.now();
                        if (now < next) {
                            LockSupport.parkNanos(this, next - now);
                        } else {
                            task.accept(period);
                            period = Math.max(
                                    period + 1, Math.floorDiv(shared.now() - offsetNanos - originNanos, periodNanos));
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(shared.threads());
        thread.start();
    }

    /** When it will do something again; until then it sleeps. */
    long nextNanos() {
        return nextNanos;
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
