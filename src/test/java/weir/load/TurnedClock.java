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
 * Time that goes on by a millisecond whenever all threads of a load wait for it, so that however busy the machine is each
 * does everything exactly when it is due. The thread that makes the clock conducts the load: time also waits for it.
 */
final class TurnedClock implements LongSupplier, AutoCloseable {
    static final long MILLI = 1_000_000;
    private static final long POLL_NANOS = 2_000;

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

    /** Time starts once so many threads have looked at it. */
    void start(int threads) {
        while (looks.size() < threads) {
            LockSupport.parkNanos(POLL_NANOS);
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

    /** False for a ticker that sleeps until later, which needs not be woken for every millisecond. */
    private boolean due(Thread thread) {
        return !(LockSupport.getBlocker(thread) instanceof Load.Ticker ticker) || ticker.nextNanos <= nowNanos;
    }

    private boolean settled(Thread thread) {
        // Who waits without saying for what waits for the conductor: an outbox for its next stage.
        boolean idle = thread == conductor || LockSupport.getBlocker(thread) == null || !due(thread);
        return waits(thread) && (idle || looks.getOrDefault(thread, 0L) == nowNanos);
    }

    /**
     * True when there was a moment at which all of them slept, and nothing was on its way to wake one: each was asleep when
     * it was looked at, and has not run until it was looked at again after all others had been looked at. Java does not
     * know that: a thread that was woken and has no core yet still waits as far as it can tell.
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

    /** A thread as the kernel knows it. */
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

        /** Changes whenever it has run. */
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
