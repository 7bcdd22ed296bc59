package weir.load;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import weir.pace.Pacer;

/**
 * A clock that advances by a millisecond whenever all threads of a load wait for it, including the thread that made it
 * and conducts the load. So each thread does everything exactly when it is due, on any machine.
 */
final class TurnedClock implements LongSupplier, AutoCloseable {
    static final long MILLI = 1_000_000;
    /** Shorter polls are slower: they keep the cores from the threads that the clock waits for. */
    private static final long POLL_NANOS = 20_000;

    private final Thread conductor = Thread.currentThread();
    private final Map<Thread, Long> looks = new ConcurrentHashMap<>();
    private final Map<Thread, InKernel> inKernel = new ConcurrentHashMap<>();
    private final Thread hand = new Thread(this::turn, "clock");
    private volatile long nowNanos = 1_000 * MILLI;
    private volatile long jumpAtNanos = Long.MAX_VALUE;
    private volatile long jumpNanos;
    private volatile boolean closed;

    TurnedClock() {
        inKernel.put(conductor, InKernel.here());
        hand.setDaemon(true);
    }

    @Override
    public long getAsLong() {
        long now = nowNanos;
        Thread here = Thread.currentThread();
        if (here.getName().startsWith("weir-")) {
            inKernel.computeIfAbsent(here, thread -> InKernel.here());
            looks.put(here, now);
        }
        return now;
    }

    /** Time starts once this number of threads has read the clock. */
    void start(int threads) {
        while (looks.size() < threads) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        hand.start();
    }

    /** Jumps by {@code nanos} at this time, while no thread runs. */
    void standstill(long atNanos, long nanos) {
        jumpNanos = nanos;
        jumpAtNanos = atNanos;
    }

    /** Waits like a blocking call of the engine. */
    void await(long nanos) {
        while (getAsLong() < nanos) {
            LockSupport.parkNanos(this, 10 * MILLI);
        }
    }

    void awaitNext() {
        await(getAsLong() + 1);
    }

    private void turn() {
        Pacer pacer = new Pacer(System::nanoTime);
        while (!closed) {
            if (!allSettled()) {
                pacer.parkUntil(System.nanoTime() + POLL_NANOS);
                continue;
            }
            long now = nowNanos;
            boolean jumps = now >= jumpAtNanos;
            jumpAtNanos = jumps ? Long.MAX_VALUE : jumpAtNanos;
            nowNanos = now + (jumps ? jumpNanos : MILLI);
            looks.keySet().stream().filter(this::due).forEach(LockSupport::unpark);
        }
    }

    /** False for a ticker that sleeps until later, which does not need every millisecond. */
    private boolean due(Thread thread) {
        return !(LockSupport.getBlocker(thread) instanceof Load.Ticker ticker) || ticker.nextNanos <= nowNanos;
    }

    private boolean settled(Thread thread) {
        // A thread that waits without a blocker waits for the conductor, like an outbox for its next stage.
        boolean idle = thread == conductor || LockSupport.getBlocker(thread) == null || !due(thread);
        return waits(thread) && (idle || looks.getOrDefault(thread, 0L) == nowNanos);
    }

    /**
     * True if there was a moment at which all threads slept and nothing was about to wake one. Each thread was asleep
     * at a first check, and had not run at a second check after the first checks of all others. Java does not know
     * this: for Java, a thread that was woken and has no core yet still waits.
     */
    private boolean allSettled() {
        List<Thread> all = inKernel.keySet().stream()
                .filter(thread -> thread == conductor || thread.getState() != Thread.State.TERMINATED)
                .toList();
        if (!all.stream().allMatch(this::settled)) {
            return false;
        }
        List<InKernel> kernel = all.stream().map(inKernel::get).toList();
        try {
            List<String> ran = new ArrayList<>();
            for (InKernel each : kernel) {
                ran.add(each.ran());
                if (!each.sleeps()) {
                    return false;
                }
            }
            for (int i = 0; i < kernel.size(); i++) {
                if (!kernel.get(i).ran().equals(ran.get(i))) {
                    return false;
                }
            }
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    private record InKernel(RandomAccessFile schedstat, RandomAccessFile stat) {
        static InKernel here() {
            try {
                Path here = Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self")));
                return new InKernel(open(here.resolve("schedstat")), open(here.resolve("stat")));
            } catch (IOException e) {
                throw new UncheckedIOException("looking for this thread in /proc", e);
            }
        }

        private static RandomAccessFile open(Path file) throws IOException {
            return new RandomAccessFile(file.toFile(), "r");
        }

        /** Returns a text that changes whenever the thread has run. */
        String ran() throws IOException {
            return read(schedstat);
        }

        boolean sleeps() throws IOException {
            String line = read(stat);
            return line.charAt(line.lastIndexOf(')') + 2) == 'S';
        }

        private static String read(RandomAccessFile file) throws IOException {
            byte[] text = new byte[80];
            file.seek(0);
            return new String(text, 0, Math.max(0, file.read(text)), StandardCharsets.ISO_8859_1);
        }

        void close() throws IOException {
            schedstat.close();
            stat.close();
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
            for (InKernel each : inKernel.values()) {
                each.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("closing what tells of a thread", e);
        }
    }
}
