package weir.host;

import java.time.Duration;
import java.util.List;

/** A child and all that it starts, which end together. */
final class ChildTree implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int PAUSE_MILLIS = 2;

    private final Child child;

    ChildTree(Child child) {
        this.child = child;
    }

    Child first() {
        return child;
    }

    /** Asks the first to end, which may end the others; whoever does not within five seconds is killed. */
    @Override
    public void close() {
        List<ProcessHandle> others = ProcessHandle.of(child.id().pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
        child.terminate();
        if (!child.endsWithin(PATIENCE)) {
            child.kill();
        }
        others.forEach(ProcessHandle::destroyForcibly);
        others.forEach(this::await);
    }

    /** The JDK asks about a process that is no child of ours after 300 ms first, and then ever less often. */
    private void await(ProcessHandle process) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (process.isAlive()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "process " + process.pid() + " of " + child.name() + " does not end");
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
