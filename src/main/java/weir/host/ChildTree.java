package weir.host;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A child and all that it starts, which end together. */
final class ChildTree implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

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

    private void await(ProcessHandle process) {
        try {
            var unused = process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("process " + process.pid() + " of " + child.name() + " does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for process " + process.pid() + " of " + child.name(), e);
        }
    }
}
