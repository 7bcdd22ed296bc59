package weir.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.host.Children;
import weir.host.Command;
import weir.host.LocalChild;
import weir.host.Shield;

/** The process of a worker on this machine, with what it was given: limits, and an archive of its classes. */
public final class WorkerProcess implements AutoCloseable {
    private static final Duration ENDING = Duration.ofSeconds(2);
    private static final Duration WRITING = Duration.ofSeconds(30);

    private final LocalChild child;
    private final WorkerClassArchive classes;
    private final Duration ending;
    private final Shield shield;

    private WorkerProcess(LocalChild child, WorkerClassArchive classes, Duration ending, Shield shield) {
        this.child = child;
        this.classes = classes;
        this.ending = ending;
        this.shield = shield;
    }

    /** {@code name} is that of the process. */
    public static WorkerProcess start(Children children, WorkerJvm jvm, String name, Path log) {
        WorkerClassArchive classes = WorkerClassArchive.ours();
        Duration ending = classes.makes() ? WRITING : ENDING;
        List<String> flags = new ArrayList<>(classes.flags());
        // Libraries unpack their native parts there, and do not clear up when they are killed.
        flags.add("-Djava.io.tmpdir=" + children.temporary());
        Shield shield = children.shield(
                name, jvm.within(), jvm.share(), log.toAbsolutePath().resolveSibling(""));
        LocalChild child = children.start(new Command(name, jvm.command(flags), log, Command.Output.READ, shield));
        return new WorkerProcess(child, classes, ending, shield);
    }

    public LocalChild child() {
        return child;
    }

    /** The time in which it ends by itself once its standard input has ended. */
    public Duration ending() {
        return ending;
    }

    /** Leaves no process. One whose standard input has ended may end by itself. */
    @Override
    public void close() {
        if (child.endsWithin(ending)) {
            classes.keep();
        } else {
            child.kill();
        }
        child.close();
        shield.close();
    }
}
