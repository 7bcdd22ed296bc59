package weir.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.plan.Limits;
import weir.time.DaemonThreads;

/** A starter of child processes. They end when this process ends or is killed, unless they may outlive it. */
public final class Children implements AutoCloseable {
    private static final Set<String> UNWANTED =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    private final Journal journal;
    private final boolean outliving;
    private final Set<LocalChild> living = ConcurrentHashMap.newKeySet();
    private final Shields shields = Shields.ofThisMachine();
    private final ParentDeathSignal bond = ParentDeathSignal.ofThisMachine();
    // The kernel reports a parent's death when the forking thread ends. So one permanent thread starts all children.
    private final ExecutorService spawner = Executors.newSingleThreadExecutor(DaemonThreads.named("weir-spawner"));

    private @Nullable Path temporary;

    private Children(Journal journal, boolean outliving) {
        this.journal = journal;
        this.outliving = outliving;
    }

    public static Children open(Journal journal) {
        return new Children(journal, false);
    }

    public static Children outliving(Journal journal) {
        return new Children(journal, true);
    }

    public LocalChild start(Command command) {
        try {
            return spawner.submit(() -> spawn(command)).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "starting " + command.name() + ": " + command.arguments().get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting " + command.name(), e);
        }
    }

    public List<String> caveats() {
        return bond.holds() || outliving
                ? List.of()
                : List.of("setpriv (util-linux) is missing: if a SIGKILL ends weir, paused child processes and external"
                        + " programs survive; 'weir doctor' ends them");
    }

    /** A shield for a child that writes to {@code data}. The caller closes the shield after the child's end. */
    public Shield shield(String name, Limits limits, Shields.CpuShare share, Path data) {
        return Io.attempt("limiting " + name, () -> shields.open(journal, name, limits, share, data.toRealPath()));
    }

    public int living() {
        return living.size();
    }

    public Journal journal() {
        return journal;
    }

    public synchronized Path temporary() {
        Path files = temporary;
        if (files == null) {
            files = journal.newFolder("temporary");
            temporary = files;
        }
        return files;
    }

    public boolean tied() {
        return !outliving;
    }

    /** Kills the children and waits for their end, except for children that outlive this process. */
    @Override
    public synchronized void close() {
        for (LocalChild child : living) {
            if (!outliving) {
                child.close();
                ProcessId.deleteAttachFiles(child.pid());
            }
            journal.childGone(child.id());
        }
        spawner.shutdown();
        Path files = temporary;
        temporary = null;
        if (files != null) {
            journal.delete(files);
        }
    }

    private LocalChild spawn(Command command) throws IOException {
        List<String> program = command.within().wrapped(command.arguments());
        List<String> arguments = outliving
                ? bond.free(program)
                : bond.tied(ProcessHandle.current().pid(), program);
        ProcessBuilder builder = new ProcessBuilder(arguments);
        scrub(builder.environment());
        if (outliving) {
            builder.redirectInput(new File("/dev/null"));
        }
        if (command.output() == Command.Output.LOGGED) {
            builder.redirectErrorStream(true);
            builder.redirectOutput(
                    ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        } else {
            builder.redirectError(ProcessBuilder.Redirect.appendTo(command.log().toFile()));
        }
        LocalChild child = new LocalChild(command, builder.start());
        living.add(child);
        journal.child(child.id());
        // A concurrent close must find the child among the living, or not in the journal. So this order matters.
        var unused = child.exit().thenRun(() -> {
            ProcessId.deleteAttachFiles(child.pid());
            journal.childGone(child.id());
            living.remove(child);
        });
        return child;
    }

    // Settings of the caller's shell must not change the measurement.
    static void scrub(Map<String, String> environment) {
        for (String name : new ArrayList<>(environment.keySet())) {
            if (UNWANTED.contains(name) || name.startsWith("KAFKA_")) {
                environment.remove(name);
            }
        }
    }

    /**
     * The command prefix that kills a child when its parent dies; an empty path means a missing program. {@code setsid}
     * protects children from Ctrl-C in the terminal, because the parent ends them.
     */
    record ParentDeathSignal(Path setsid, Path setpriv) {
        // setpriv requests the signal after the fork. If the parent has died before, the signal never comes. So the
        // shell compares its parent once more before it becomes the program.
        private static final String STILL_OURS = "[ \"$PPID\" = \"$0\" ] && exec \"$@\"";

        static ParentDeathSignal ofThisMachine() {
            Path setpriv = Programs.named("setpriv");
            return new ParentDeathSignal(Programs.named("setsid"), knowsParentDeath(setpriv) ? setpriv : Path.of(""));
        }

        List<String> tied(long parent, List<String> arguments) {
            List<String> tied = new ArrayList<>(arguments);
            if (holds()) {
                tied.addAll(0, List.of("/bin/sh", "-c", STILL_OURS, Long.toString(parent)));
                tied.addAll(0, List.of(setpriv.toString(), "--pdeathsig", "KILL"));
            }
            return free(tied);
        }

        List<String> free(List<String> arguments) {
            List<String> free = new ArrayList<>(arguments);
            if (!setsid.toString().isEmpty()) {
                free.add(0, setsid.toString());
            }
            return free;
        }

        boolean holds() {
            return !setpriv.toString().isEmpty();
        }

        // Busybox has a setpriv without this option.
        private static boolean knowsParentDeath(Path setpriv) {
            if (setpriv.toString().isEmpty()) {
                return false;
            }
            try {
                Programs.run(setpriv.toString(), "--pdeathsig", "KILL", "/bin/sh", "-c", ":");
                return true;
            } catch (IllegalStateException | UncheckedIOException refused) {
                return false;
            }
        }
    }
}
