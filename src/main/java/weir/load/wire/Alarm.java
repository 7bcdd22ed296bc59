package weir.load.wire;

import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.pace.Pacer;
import weir.pace.Schedule;

/** Wakes a selector at a nanosecond; its own timeout only knows milliseconds. One thread sets it. */
final class Alarm implements AutoCloseable {
    private final Selector selector;
    private final Pacer pacer;
    private final LongSupplier clock;
    private final Thread thread;
    private final AtomicLong atNanos = new AtomicLong(Schedule.NEVER);
    private volatile boolean closed;

    Alarm(String name, Selector selector, LongSupplier clock) {
        this.selector = selector;
        this.clock = clock;
        this.pacer = new Pacer(clock);
        this.thread = new Thread(this::watch, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Instead of what it was set to before. Who is awake before may leave it as it is: it wakes once too often. */
    void set(long nanos) {
        if (nanos < atNanos.getAndSet(nanos)) {
            LockSupport.unpark(thread);
        }
    }

    private void watch() {
        while (!closed) {
            long at = atNanos.get();
            long now = clock.getAsLong();
            if (at <= now) {
                // Only what has rung is over: another time may have been set meanwhile.
                atNanos.compareAndSet(at, Schedule.NEVER);
                selector.wakeup();
            } else if (at == Schedule.NEVER) {
                LockSupport.park(this);
            } else {
                pacer.doze(at);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
