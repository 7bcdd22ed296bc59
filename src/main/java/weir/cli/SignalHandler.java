package weir.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;
import weir.run.Exit;

/** Ctrl-C and kill: the first ends the run and keeps what was measured, the second ends everything at once. */
public final class SignalHandler implements AutoCloseable {
    private static final int TERMINATED = 143;

    private final AtomicInteger code = new AtomicInteger();
    private final CountDownLatch heard = new CountDownLatch(1);
    private final Runnable stop;
    private final Object onInt;
    private final Object onTerm;

    public SignalHandler(Runnable stop) {
        this.stop = stop;
        onInt = Signals.register("INT", () -> heard(Exit.INTERRUPTED.code()));
        onTerm = Signals.register("TERM", () -> heard(TERMINATED));
    }

    /** The exit code of the process: the signal's when one was heard, otherwise the given one. */
    public int exit(int otherwise) {
        return exit(code.get(), otherwise);
    }

    /** {@code heard}: 0 for no signal. */
    static int exit(int heard, int otherwise) {
        return heard == 0 || otherwise == Exit.OUR_FAULT.code() ? otherwise : heard;
    }

    /** Waits for a signal; whether one was heard in time. */
    boolean within(long nanos) throws InterruptedException {
        return heard.await(nanos, TimeUnit.NANOSECONDS);
    }

    void await() {
        try {
            heard.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void heard(int signal) {
        if (code.compareAndSet(0, signal)) {
            heard.countDown();
            stop.run();
        } else {
            // Children die with us; an orderly end is what the user no longer wants to wait for.
            Runtime.getRuntime().halt(signal);
        }
    }

    @Override
    public void close() {
        Signals.unregister("INT", onInt);
        Signals.unregister("TERM", onTerm);
    }
}
