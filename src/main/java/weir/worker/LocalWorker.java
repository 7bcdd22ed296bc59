package weir.worker;

import java.nio.file.Path;
import weir.host.Children;

/** A worker that is a child JVM. */
@SuppressWarnings("DoNotCallSuggester")
public final class LocalWorker {
    private LocalWorker() {}

    /** Returns a worker that is not prepared yet. Its last log lines are in the exception when it dies. */
    public static Worker start(Children children, WorkerJvm jvm, Path log, WorkerListener listener) {
        throw new UnsupportedOperationException();
    }
}
