package weir.host;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process on this machine. */
public final class LocalChild implements Child {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Command command;
    private final Process process;
    private final ProcessId id;

    LocalChild(Command command, Process process) {
        this.command = command;
        this.process = process;
        this.id = ProcessId.of(process.pid());
    }

    @Override
    public String name() {
        return command.name();
    }

    public ProcessId id() {
        return id;
    }

    @Override
    public long pid() {
        return id.pid();
    }

    public OutputStream input() {
        return process.getOutputStream();
    }

    public InputStream output() {
        return process.getInputStream();
    }

    @Override
    public CompletableFuture<Integer> exit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    @Override
    public boolean alive() {
        return process.isAlive();
    }

    @Override
    public boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of " + name(), e);
        }
    }

    @Override
    public List<String> lastLines(int count) {
        return Child.lastLines(command.log(), count);
    }

    @Override
    public void signal(ProcessAction action) {
        switch (action) {
            case KILL -> process.destroyForcibly();
            // Process.destroy() would also close the child's input, and our programs then end without a clean shutdown.
            case STOP -> process.toHandle().destroy();
            case PAUSE -> signal("STOP");
            case RESUME -> signal("CONT");
            case RESTART -> throw new IllegalArgumentException("no signal restarts " + name());
        }
    }

    @Override
    public void close() {
        kill();
        exit().join();
    }

    @Override
    public void endTree() {
        if (!alive()) {
            return;
        }
        List<ProcessId> others = ProcessHandle.of(pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(other -> ProcessId.of(other.pid()))
                .toList();
        signal(ProcessAction.STOP);
        if (!endsWithin(TIMEOUT)) {
            kill();
        }
        others.forEach(ProcessId::kill);
    }

    private void signal(String signal) {
        if (!alive()) {
            throw new IllegalStateException(name() + " is not running, so it cannot be sent SIG" + signal);
        }
        try {
            Programs.run("/bin/sh", "-c", "kill -" + signal + " " + id.pid());
        } catch (IllegalStateException | UncheckedIOException e) {
            throw new IllegalStateException(name() + " could not be sent SIG" + signal + ": " + e.getMessage(), e);
        }
    }
}
