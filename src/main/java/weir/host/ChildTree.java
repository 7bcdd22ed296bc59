package weir.host;

import java.time.Duration;
import java.util.List;

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
        List<ProcessId> others = ProcessHandle.of(child.id().pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(other -> ProcessId.of(other.pid()))
                .toList();
        child.terminate();
        if (!child.endsWithin(PATIENCE)) {
            child.kill();
        }
        others.forEach(ProcessId::kill);
    }
}
