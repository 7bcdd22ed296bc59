package weir.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;
import weir.run.Exit;

/** The handler of Ctrl-C and kill. The first signal ends the run with its results, the second ends Weir at once. */
public final class SignalHandler implements AutoCloseable {
    private static final int TERMINATED = 143;

    private final AtomicInteger code = new AtomicInteger();
    private final CountDownLatch received = new CountDownLatch(1);
    private final Runnable stop;
    private final Object onInt;
    private final Object onTerm;

    public SignalHandler(Runnable stop) {
        this.stop = stop;
        onInt = Signals.register("INT", () -> received(Exit.INTERRUPTED.code()));
        onTerm = Signals.register("TERM", () -> received(TERMINATED));
    }

    public int exit(int otherwise) {
        return exit(code.get(), otherwise);
    }

    static int exit(int signal, int otherwise) {
        return signal == 0 || otherwise == Exit.OUR_FAULT.code() ? otherwise : signal;
    }

    public boolean within(long nanos) throws InterruptedException {
        return received.await(nanos, TimeUnit.NANOSECONDS);
    }

    public void await() {
        try {
            received.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void received(int signal) {
        if (code.compareAndSet(0, signal)) {
            received.countDown();
            stop.run();
        } else {
            // The kernel kills the child processes when Weir ends.
            Runtime.getRuntime().halt(signal);
        }
    }

    @Override
    public void close() {
        Signals.unregister("INT", onInt);
        Signals.unregister("TERM", onTerm);
    }
}
