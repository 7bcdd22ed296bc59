package weir.load;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.pace.Pacer;

/**
 * Time that goes on by a millisecond whenever all threads of a load wait for it, so that however busy the machine is each
 * does everything exactly when it is due. The thread that makes the clock conducts the load: time also waits for it.
 */
final class TurnedClock implements LongSupplier, AutoCloseable {
    static final long MILLI = 1_000_000;
    private static final long POLL_NANOS = 2_000;

    private final Thread conductor = Thread.currentThread();
    private final Map<Thread, Long> looks = new ConcurrentHashMap<>();
    private final Map<Thread, RandomAccessFile> inKernel = new ConcurrentHashMap<>();
    private final Thread hand = new Thread(this::turn, "clock");
    private volatile long nowNanos = 1_000 * MILLI;
    private volatile long jumpAtNanos = Long.MAX_VALUE;
    private volatile long jumpNanos;
    private volatile boolean closed;

    TurnedClock() {
        inKernel.put(conductor, stat());
        hand.setDaemon(true);
    }

    @Override
    public long getAsLong() {
        long now = nowNanos;
        Thread here = Thread.currentThread();
        if (here.getName().startsWith("weir-")) {
            inKernel.computeIfAbsent(here, thread -> stat());
            looks.put(here, now);
        }
        return now;
    }

    /** Time starts once so many threads have looked at it. */
    void start(int threads) {
        while (looks.size() < threads) {
            Thread.onSpinWait();
        }
        hand.start();
    }

    /** When it is then, it is at once so much later: nobody of us runs meanwhile. */
    void standstill(long atNanos, long nanos) {
        jumpNanos = nanos;
        jumpAtNanos = atNanos;
    }

    /** Waits, as a call of the engine that blocks. */
    void await(long nanos) {
        while (getAsLong() < nanos) {
            LockSupport.parkNanos(this, 10 * MILLI);
        }
    }

    /** Waits for the next millisecond. */
    void awaitNext() {
        await(getAsLong() + 1);
    }

    private void turn() {
        Pacer pacer = new Pacer(System::nanoTime);
        while (!closed) {
            if (!settled(conductor) || !looks.keySet().stream().allMatch(this::settled)) {
                pacer.doze(System.nanoTime() + POLL_NANOS);
                continue;
            }
            long now = nowNanos;
            boolean jumps = now >= jumpAtNanos;
            jumpAtNanos = jumps ? Long.MAX_VALUE : jumpAtNanos;
            nowNanos = now + (jumps ? jumpNanos : MILLI);
            looks.keySet().forEach(LockSupport::unpark);
        }
    }

    private boolean settled(Thread thread) {
        if (thread != conductor && thread.getState() == Thread.State.TERMINATED) {
            return true;
        }
        // Who waits without saying for what waits for the conductor: an outbox for its next stage.
        boolean idle = thread == conductor || LockSupport.getBlocker(thread) == null;
        return waits(thread) && (idle || looks.getOrDefault(thread, 0L) == nowNanos) && sleeps(thread);
    }

    /** A thread that was woken and has no core yet still waits as far as Java knows; the kernel knows better. */
    private boolean sleeps(Thread thread) {
        RandomAccessFile stat = Objects.requireNonNull(inKernel.get(thread));
        byte[] line = new byte[80];
        try {
            stat.seek(0);
            int length = stat.read(line);
            String text = new String(line, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
            return text.charAt(text.lastIndexOf(')') + 2) == 'S';
        } catch (IOException ended) {
            return false;
        }
    }

    private static RandomAccessFile stat() {
        try {
            Path here = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return new RandomAccessFile("/proc/" + here + "/stat", "r");
        } catch (IOException e) {
            throw new UncheckedIOException("looking for this thread in /proc", e);
        }
    }

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    @Override
    public void close() {
        closed = true;
        try {
            hand.join();
            for (RandomAccessFile stat : inKernel.values()) {
                stat.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("closing what tells of a thread", e);
        }
    }
}
