package weir.worker;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.host.Children;
import weir.measure.LoadListener;

/**
 * A local worker that runs one trial after another, so that its JVM compiles code only once. A worker whose trial did
 * not end cleanly is not reused.
 */
public final class WarmWorker implements AutoCloseable {
    private final Children children;
    private @Nullable LinkedWorker worker;
    private @Nullable WorkerJvm jvm;

    public WarmWorker(Children children) {
        this.children = children;
    }

    /** Returns a worker, which the caller closes. {@code log} is for a new worker. */
    public Worker acquire(WorkerJvm wanted, Path log, LoadListener listener) {
        LinkedWorker there = worker;
        if (there == null || !there.waits() || !wanted.equals(jvm)) {
            close();
            there = LocalWorker.start(children, wanted, "worker", log, listener).worker();
            worker = there;
            jvm = wanted;
        }
        return Fleet.of(List.of(there.reuse(listener)));
    }

    public boolean waits() {
        return worker != null && worker.waits();
    }

    @Override
    public void close() {
        LinkedWorker there = worker;
        worker = null;
        if (there != null) {
            there.end();
        }
    }
}
