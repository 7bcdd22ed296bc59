package weir.worker;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import weir.host.Children;

/**
 * Lends one local worker to trial after trial: what its JVM has compiled for the first need not be compiled again. One
 * whose trial did not come to a clean end is not lent again.
 */
public final class WarmWorker implements AutoCloseable {
    private final Children children;
    private @Nullable LinkedWorker worker;
    private @Nullable WorkerJvm jvm;

    public WarmWorker(Children children) {
        this.children = children;
    }

    /** Who borrows it closes it, as any other. {@code log} is that of a worker that has to be started. */
    public Worker lend(WorkerJvm wanted, Path log, WorkerListener listener) {
        LinkedWorker there = worker;
        if (there == null || !there.waits() || !wanted.equals(jvm)) {
            close();
            there = LocalWorker.linked(children, wanted, log, listener);
            worker = there;
            jvm = wanted;
        }
        return there.lent(listener);
    }

    /** True when a worker waits to be lent. */
    public boolean waits() {
        return worker != null && worker.waits();
    }

    /** Ends the worker, if there is one. */
    @Override
    public void close() {
        LinkedWorker there = worker;
        worker = null;
        if (there != null) {
            there.end();
        }
    }
}
